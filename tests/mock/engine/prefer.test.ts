import { expect, test } from 'vitest'
import { createResponseJudge, errorCodes, header, loadContract } from '../../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'
import { bearer, json, jsonOf, postPlant, send, startMock } from '../client.ts'

const stalls = await loadContract({
  from: writeDocument(
    'stalls.yaml',
    `openapi: 3.1.0
info: { title: Stalls, version: "1" }
paths:
  /stalls/{stallId}:
    get:
      operationId: getStall
      parameters: [{ name: stallId, in: path, required: true, schema: { type: integer } }]
      responses:
        "200":
          description: The stall
          content:
            application/json:
              schema:
                type: object
                required: [stallId, name, rank]
                properties: { stallId: { type: integer }, name: { type: string }, rank: { type: integer, format: int64 } }
              examples:
                corner: { value: { stallId: 7, name: Corner, rank: 9223372036854775807 } }
                wrong: { value: { stallId: 7, name: 8, rank: 1 } }
                "a b": { $ref: "#/components/examples/Spaced" }
        4XX:
          description: No
          content:
            application/json:
              schema: { type: object, required: [error], properties: { error: { type: integer }, message: { type: string } } }
              examples:
                gone: { value: { error: 4040, message: it moved away } }
        5XX:
          description: Broken
          content:
            application/json:
              schema: { type: object, required: [error], properties: { error: { type: integer }, message: { type: string } } }
components:
  examples:
    Spaced: { value: { stallId: 8, name: Spaced, rank: 2 } }
`,
  ),
})

const prefer = async (...lines: readonly string[]) => {
  const warnings: string[] = []
  const mock = await startMock({ contract: stalls, warn: message => warnings.push(message) })
  await mock.examplesChecked
  const response = await send(mock, {
    method: 'GET',
    path: '/stalls/5',
    headers: { Prefer: lines.join(', ') },
  })
  expect(createResponseJudge(stalls, operationOf(stalls, 'getStall'))(response, undefined)).toEqual([])
  return {
    status: response.status,
    body: jsonOf(response),
    text: Buffer.from(response.body).toString(),
    applied: header(response.headers, 'preference-applied'),
    warnings,
  }
}

test.each([
  ['code=200', 200, 'code=200', { stallId: 5, name: 'Corner' }],
  ['code=404', 404, 'code=404', { error: 4040, message: 'it moved away' }],
  ['code=404; example=gone', 404, 'code=404, example=gone', { error: 4040, message: 'it moved away' }],
  ['CODE = "503"', 503, 'code=503', { error: errorCodes.preferred }],
  ['return=minimal, code=404, code=503', 404, 'code=404', { error: 4040 }],
  ['example="a b"', 200, 'example="a b"', { stallId: 8, name: 'Spaced', rank: 2 }],
  ['respond-async, wait=10', 200, null, { stallId: 5, name: 'Corner' }],
] as const)('Prefer: %s is answered with %d, and applied as %s', async (line, status, applied, body) => {
  expect(await prefer(line)).toMatchObject({ status, applied, body })
})

test('where the document has a header Prefer of its own, what cannot be read is left to it', async () => {
  const parameter = { name: 'Prefer', in: 'header', schema: { type: 'string' } }
  const responses = { 200: { description: 'ok' }, 400: { description: 'no' } }
  const from = writeDocument(
    'prefer.json',
    documentWith({
      '/own': { get: { parameters: [parameter], responses } },
      '/other': { get: { responses } },
    }),
  )
  const mock = await startMock({ contract: await loadContract({ from }) })
  const statusOf = async (path: string, prefer: string): Promise<number> =>
    (await send(mock, { method: 'GET', path, headers: { Prefer: prefer } })).status
  expect(await statusOf('/own', '"double"')).toBe(200)
  expect(await statusOf('/own', 'code=400')).toBe(400)
  expect(await statusOf('/other', '"double"')).toBe(400)
})

test('a preferred example is sent digit for digit; without the preference the id of the path replaces its own', async () => {
  expect((await prefer('example=corner')).text).toBe(
    '{"stallId":7,"name":"Corner","rank":9223372036854775807}',
  )
  expect((await prefer('')).text).toBe('{"stallId":5,"name":"Corner","rank":9223372036854775807}')
})

test('a preferred failure without an example says that the client asked for it', async () => {
  expect((await prefer('code=500')).body).toEqual({
    error: errorCodes.preferred,
    message: 'the client asked for this response: Prefer: code=500',
  })
})

test.each([
  ['code=302', 'the preferred code 302 is not declared here; declared: 200, 4XX, 5XX'],
  ['code=nine', 'the preference code must be a status from 200 to 599, not "nine"'],
  ['code=100', 'the preference code must be a status from 200 to 599, not "100"'],
  ['dynamic=perhaps', 'the preference dynamic must be true or false, not "perhaps"'],
  ['example=none', 'the preferred example "none" is not declared for 200; declared: corner, wrong, a b'],
  ['code=503, example=x', 'the preferred example "x" is not declared for 5XX; declared: none'],
  ['example=', 'the preference example must name an example'],
  ['seed=1, code="404', 'the header Prefer cannot be read from character 8'],
] as const)('Prefer: %s is rejected: %s', async (line, message) => {
  const { status, body, applied } = await prefer(line)
  expect([status, body, applied]).toEqual([400, { error: errorCodes.preferenceWrong, message }, null])
})

test('an invalid example is reported when a client prefers it, and a conforming value replaces it', async () => {
  const { status, body, applied, warnings } = await prefer('example=wrong')
  expect([status, applied]).toEqual([200, null])
  expect(body).toMatchObject({ stallId: 5, name: expect.any(String) })
  expect(warnings).toEqual([
    expect.stringMatching(
      /^invalid example at .*stalls\.yaml:19: \/name must be a string; the mock does not use it$/,
    ),
  ])
})

test('dynamic values differ from the examples, and follow from the request or from the seed', async () => {
  const bodies = await Promise.all(
    ['dynamic=true', 'dynamic', 'dynamic=true, seed=a', 'seed=a; dynamic=true', 'dynamic=true, seed=b'].map(
      async line => (await prefer(line)).text,
    ),
  )
  const [first, bare, a, again, b] = bodies
  expect(first).not.toContain('Corner')
  expect(bare).toBe(first)
  expect(again).toBe(a)
  expect(new Set([first, a, b]).size).toBe(3)
  expect((await prefer('dynamic=false')).text).toContain('Corner')
})

test('an invalid request gets its failure whatever it prefers, unless that is an example of this failure', async () => {
  const mock = await startMock({ contract: stalls, warn: () => {} })
  const wrong = async (Prefer: string) => {
    const response = await send(mock, { method: 'GET', path: '/stalls/x', headers: { Prefer } })
    return [response.status, jsonOf(response), header(response.headers, 'preference-applied')]
  }
  const reason = {
    error: errorCodes.parameterWrong,
    message: 'the path parameter stallId must be an integer',
  }
  for (const line of [
    'code=200',
    'code=404, example=gone',
    'code=nine',
    'example=corner',
    'code=400, example=x',
  ])
    expect(await wrong(line)).toEqual([400, reason, null])
  expect(await wrong('code=400, example=gone')).toEqual([
    400,
    { error: 4040, message: 'it moved away' },
    null,
  ])
})

test('several Prefer headers count as one, and credentials are checked first', async () => {
  const mock = await startMock()
  const rejected = await send(mock, {
    method: 'POST',
    path: '/plants',
    headers: { ...json, Prefer: 'code=200' },
    body: '{"id":1,"name":"Fern"}',
  })
  expect([rejected.status, jsonOf(rejected)]).toMatchObject([400, { error: errorCodes.credentialsMissing }])
  const valid = postPlant('{"id":1,"name":"Fern"}')
  const headers = new Headers(valid.headers)
  headers.append('Prefer', 'wait=1')
  headers.append('Prefer', 'code=400')
  const response = await send(mock, { ...valid, headers: Object.fromEntries(headers) })
  expect([response.status, jsonOf(response)]).toEqual([
    400,
    { error: errorCodes.preferred, message: 'the client asked for this response: Prefer: code=400' },
  ])
})

test('a preferred 401 has a challenge', async () => {
  const mock = await startMock({ contract: contracts.library })
  const response = await send(mock, {
    method: 'POST',
    path: '/loans',
    headers: { ...bearer, ...json, Prefer: 'code=401' },
    body: '{"copies":[1],"borrower":{"guest":true}}',
  })
  expect([response.status, header(response.headers, 'www-authenticate')]).toEqual([
    401,
    'ApiKey realm="Library", Bearer realm="Library"',
  ])
})
