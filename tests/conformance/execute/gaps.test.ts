import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { gapSummary, gapsOf, type Ledger, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const ok = { description: 'ok' }
const name = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 9 } } }

/** A document of one operation, with these responses. */
const documentOf = (...statuses: readonly string[]): string =>
  writeDocument(
    'things.json',
    documentWith(
      {
        '/things/{size}': {
          put: {
            operationId: 'putThing',
            security: [{ token: [] }],
            parameters: [
              { name: 'size', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
            ],
            requestBody: { required: true, content: { 'application/json': { schema: name } } },
            responses: Object.fromEntries(statuses.map(status => [status, ok])),
          },
        },
      },
      { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } },
    ),
  )

/** Verifies a server that answers with the statuses of one document by another document. */
const run = async (
  served: readonly string[],
  declared: readonly string[],
  options: Partial<VerifyOptions> = {},
  breaks?: string,
): Promise<Ledger> => {
  const mock = await createMock({
    contract: documentOf(...served),
    tokens: ['secret'],
    warn: () => {},
    breaks,
  })
  onTestFinished(mock.close)
  return verify({
    target: mock.url,
    token: 'secret',
    contract: documentOf(...declared),
    seed: 3,
    strict: true,
    sustained: 0,
    ...options,
  })
}

const observedIn = ({ entries }: Ledger, question: string): string | undefined => {
  const verdict = entries.find(
    ({ obligation }) => obligation.id === `putThing/unspecified/${question}`,
  )?.verdict
  return verdict?.kind === 'observed' ? verdict.observation : undefined
}

const failedIn = ({ findings }: Ledger): readonly string[] =>
  findings.flatMap(({ obligation, also }) => [obligation, ...also])

test('if no failure is declared, any failure fits: it is observed, and the run says what the document leaves open', async () => {
  const ledger = await run(['200', '401', '415', '422'], ['200'])
  expect(ledger.findings).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
  expect(observedIn(ledger, 'credentials')).toMatch(/^401\b/)
  expect(observedIn(ledger, 'undeclared-media')).toMatch(/^415\b/)
  expect(observedIn(ledger, 'invalid-body')).toMatch(/^422\b/)
  expect(observedIn(ledger, 'invalid-parameter')).toMatch(/^422\b/)
  expect(ledger.notes.map(({ message }) => message)).toContain(
    'the document declares no failure for missing or wrong credentials in 1 operation, no failure for a body of an undeclared media type in 1 operation, no failure for an invalid body in 1 operation, no failure for an invalid parameter in 1 operation: any status of the right class is accepted there (plantstore lint lists these gaps)',
  )
})

test('with `fail` the same failures violate the contract', async () => {
  const ledger = await run(['200', '401', '415', '422'], ['200'], { undeclaredFailures: 'fail' })
  expect(ledger.end?.conclusion).toBe('nonconformant')
  expect(failedIn(ledger)).toContain('putThing/response/declared')
})

test('a declared failure that does not fit leaves the gap; one that fits closes it', async () => {
  const open = await run(['200', '401', '415', '422'], ['200', '404', '409', '401'])
  expect(open.end?.conclusion).toBe('conformant')
  const closed = await run(['200', '401', '415', '422'], ['200', '400', '401'])
  expect(failedIn(closed)).toContain('putThing/response/declared')
})

test('whatever the document leaves open, invalid requests are not accepted', async () => {
  const broken = 'putThing/request/body/name/required'
  const ledger = await run(['200', '401', '415', '422'], ['200'], {}, broken)
  expect(failedIn(ledger)).toContain(broken)
  const finding = ledger.findings.find(({ obligation }) => obligation === broken)
  expect(finding?.expected).toBe('a 4xx status')
  const requirementOf = (id: string): string | undefined =>
    ledger.start.obligations.find(each => each.id === id)?.requirement
  expect(requirementOf(broken)).toBe('a body without `name` is rejected')
  expect(requirementOf('putThing/request/valid')).toBe('a valid request is accepted with a declared success')
})

test('nor are they answered by a crash', async () => {
  const contract = writeDocument(
    'list.json',
    documentWith({
      '/list': {
        get: {
          operationId: 'list',
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          responses: { 200: ok },
        },
      },
    }),
  )
  const server = createServer(({ url = '' }, response) => {
    const limit = new URL(url, 'http://localhost').searchParams.get('limit')
    response.writeHead(limit === null || /^-?\d+$/.test(limit) ? 200 : 500).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const ledger = await verify({ target: `http://127.0.0.1:${port}`, contract, seed: 3, cases: 300 })
  expect(failedIn(ledger)).toContain('list/request/query/limit/type/string')
})

test('credentials have to be rejected with 401 if the run says so, declared or not', async () => {
  const by401 = await run(['200', '401', '422'], ['200'], {
    unauthenticated: '401',
    only: ['*/auth/absent', '*/response/declared'],
  })
  expect(failedIn(by401)).toEqual([])
  const by403 = await run(['200', '403', '422'], ['200'], {
    unauthenticated: '401',
    only: ['*/auth/absent', '*/response/declared'],
  })
  expect(failedIn(by403)).toContain('putThing/response/declared')
})

test('an operation without a declared success accepts with any', async () => {
  const ledger = await run(['204', '400', '401'], ['400', '401'])
  expect(ledger.findings).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
})

test('the gaps of a document have operation, line and kind', async () => {
  const contract = await loadContract({ from: documentOf('400') })
  const gaps = gapsOf(contract)
  expect(gaps.map(({ operation, kind, place }) => ({ operation, kind, line: place.line }))).toEqual([
    { operation: 'putThing', kind: 'success', line: 46 },
  ])
  expect(gapSummary(gaps)).toBe('no success in 1 operation')
  expect(gapsOf(await loadContract({ from: documentOf('2XX', 'default') }))).toEqual([])
})
