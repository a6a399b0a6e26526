import { expect, test } from 'vitest'
import { createResponseJudge, errorCodes, header, malformedKinds } from '../../../spec/index.ts'
import { cpuTime } from '../../cpu-time.ts'
import { contracts, operationOf } from '../../spec/contracts.ts'
import { bearer, json, jsonOf, postPlant, send, startMock } from '../client.ts'

const right = '{"id":1,"name":"Fern"}'

test.each([
  ['{"name":"Fern"}', errorCodes.propertyMissing, '/id is missing'],
  ['{}', errorCodes.propertyMissing, '/name is missing; /id is missing'],
  ['{"id":"1","name":"Fern"}', errorCodes.wrongType, '/id must be an integer'],
  ['{"id":1.5,"name":"Fern"}', errorCodes.wrongType, '/id must be an integer'],
  ['{"id":9223372036854775808,"name":"Fern"}', errorCodes.outOfRange, '/id must be an int64'],
  ['{"id":-9223372036854775809,"name":"Fern"}', errorCodes.outOfRange, '/id must be an int64'],
  ['{"id":1,"name":null}', errorCodes.wrongType, '/name must be a string'],
  ['{"id":1,"name":"Fern","tag":[]}', errorCodes.wrongType, '/tag must be a string'],
  ['[]', errorCodes.wrongType, 'the body must be an object'],
  ['{"id":1,', errorCodes.bodyNotJson, 'the body is not JSON: it ends too early, after 8 characters'],
  ['', errorCodes.bodyMissing, 'the body is missing'],
  [' ', errorCodes.bodyNotJson, 'the body is empty'],
] as const)('the body %s is rejected with the code %d: %s', async (body, error, message) => {
  const mock = await startMock()
  const response = await send(mock, postPlant(body))
  expect([response.status, jsonOf(response)]).toEqual([400, { error, message }])
})

test.each([
  [{ ...bearer }, errorCodes.mediaMissing, 'the content type is missing: it must be application/json'],
  [
    { ...bearer, 'Content-Type': 'text/plain' },
    errorCodes.mediaUndeclared,
    'the content type must be application/json, not text/plain',
  ],
  [
    { ...bearer, 'Content-Type': 'undefined' },
    errorCodes.mediaUndeclared,
    'the content type must be application/json, not undefined',
  ],
  [{ ...json }, errorCodes.credentialsMissing, 'credentials are missing'],
  [{ ...json, Authorization: 'Bearer' }, errorCodes.credentialsMalformed, 'there is nothing after Bearer'],
  [
    { ...json, Authorization: 'Basic abc' },
    errorCodes.credentialsMalformed,
    'credentials must be of the scheme Bearer, not Basic',
  ],
  [
    { ...json, Authorization: 'abc' },
    errorCodes.credentialsMalformed,
    'credentials must be given as Bearer credentials',
  ],
  [{ ...json, Authorization: 'Bearer a b' }, errorCodes.credentialsMalformed, 'there is more than one token'],
  [
    { ...json, Authorization: 'Bearer {a}' },
    errorCodes.credentialsMalformed,
    'the token has characters that no bearer token has',
  ],
  [{ ...json, Authorization: 'Bearer wrong' }, errorCodes.credentialsUnknown, 'the token is not accepted'],
] as const)('the headers %j are rejected with the code %d: %s', async (headers, error, message) => {
  const mock = await startMock({ tokens: ['right', 'any'] })
  // Bytes, because fetch would add a media type to a text.
  const response = await send(mock, {
    method: 'POST',
    path: '/plants',
    headers,
    body: new TextEncoder().encode(right),
  })
  expect([response.status, jsonOf(response)]).toEqual([400, { error, message }])
})

test('without credentials the response says nothing about the body', async () => {
  const mock = await startMock()
  const response = await send(mock, { method: 'POST', path: '/plants', headers: json, body: '{' })
  expect(jsonOf(response)).toEqual({
    error: errorCodes.credentialsMissing,
    message: 'credentials are missing',
  })
})

test('any well-formed token is right unless the mock has tokens, and the letter case of the scheme does not matter', async () => {
  const open = await startMock()
  const closed = await startMock({ tokens: ['right'] })
  const status = async (mock: typeof open, Authorization: string) =>
    (await send(mock, postPlant(right, { Authorization }))).status
  for (const value of ['Bearer x', 'bearer a.b-c_d~e+f/g==', 'BEARER  x'])
    expect(await status(open, value)).toBe(200)
  expect(await status(closed, 'bearer right')).toBe(200)
  for (const value of ['Bearer RIGHT', 'Bearer righ', 'Bearer rightx', 'Bearer right, Bearer right'])
    expect(await status(closed, value)).toBe(400)
})

test.each([
  ['declared', 400, 400, 400],
  ['401', 401, 401, 401],
  ['either', 401, 400, 401],
] as const)(
  'with the policy %s, missing, malformed and wrong credentials get %d, %d and %d',
  async (unauthenticated, ...statuses) => {
    const mock = await startMock({ unauthenticated, tokens: ['right'] })
    const responses = await Promise.all(
      [json, { ...json, Authorization: 'Bearer' }, { ...json, Authorization: 'Bearer wrong' }].map(headers =>
        send(mock, { method: 'POST', path: '/plants', headers, body: right }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(statuses)
    expect(responses.map(jsonOf)).toMatchObject([{ error: 1 }, { error: 2 }, { error: 3 }])
    const [none, , wrong] = responses.map(({ headers }) => header(headers, 'www-authenticate'))
    expect([none, wrong]).toEqual(
      unauthenticated === 'declared'
        ? [null, null]
        : [
            'Bearer realm="Plant Store"',
            'Bearer realm="Plant Store", error="invalid_token", error_description="the token is not accepted"',
          ],
    )
  },
)

test('a declared 401 has a challenge for each scheme', async () => {
  const mock = await startMock({ contract: contracts.library })
  const response = await send(mock, { method: 'POST', path: '/loans', headers: json, body: '{}' })
  expect([response.status, header(response.headers, 'www-authenticate')]).toEqual([
    401,
    'ApiKey realm="Library", Bearer realm="Library"',
  ])
})

test('every kind of malformed JSON gets a declared failure within a second', async () => {
  const mock = await startMock()
  await send(mock, postPlant(right))
  const judge = createResponseJudge(contracts.plantStore, operationOf(contracts.plantStore, 'createPlant'))
  for (const { name, make } of malformedKinds)
    for (const pick of [0, 1, 2]) {
      const began = cpuTime()
      const response = await send(mock, postPlant(make(right, pick)))
      expect(cpuTime() - began, name).toBeLessThan(1000)
      expect(response.status, name).toBe(400)
      expect(jsonOf(response), name).toMatchObject({ error: errorCodes.bodyNotJson })
      expect(judge(response, undefined)).toEqual([])
    }
})

test('undeclared paths and methods get a 404 or a 405 in the shape of an Error, and Allow lists the declared methods', async () => {
  const mock = await startMock()
  const nowhere = await send(mock, { method: 'GET', path: '/nowhere?x=%zz' })
  expect([nowhere.status, jsonOf(nowhere)]).toEqual([
    404,
    { error: errorCodes.pathUndeclared, message: 'this path is not declared' },
  ])
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
    const other = await send(mock, { method, path: '/plants', headers: bearer })
    expect([other.status, header(other.headers, 'allow')]).toEqual([405, 'POST'])
    if (method !== 'HEAD')
      expect(jsonOf(other)).toEqual({
        error: errorCodes.methodUndeclared,
        message: `${method} is not declared here; declared: POST`,
      })
  }
  const library = await startMock({ contract: contracts.library })
  expect(header((await send(library, { method: 'PUT', path: '/books/1' })).headers, 'allow')).toBe(
    'GET, DELETE, HEAD',
  )
  expect(jsonOf(await send(library, { method: 'PUT', path: '/books/1' }))).toMatchObject({ code: 41 })
})

test('a failure has its status and its reason if its schema has properties for them', async () => {
  const mock = await startMock({ contract: contracts.orders })
  const headers = { ...json, Authorization: `Basic ${btoa('a:b')}` }
  const response = await send(mock, { method: 'POST', path: '/orders', headers, body: '{"lines":[]}' })
  expect(header(response.headers, 'content-type')).toBe('application/problem+json')
  expect(jsonOf(response)).toMatchObject({
    status: 422,
    detail: '/priority is missing; /lines must have at least 1 item',
  })
})

test('JSON with a hundred thousand levels, and numbers of a million digits, are rejected', async () => {
  const mock = await startMock()
  const deep = await send(mock, postPlant('['.repeat(100_000) + ']'.repeat(100_000)))
  expect(jsonOf(deep)).toEqual({ error: 14, message: 'the JSON is nested too deeply: more than 500 levels' })
  const long = await send(mock, postPlant(`{"id":${'9'.repeat(1_000_000)},"name":"a"}`))
  expect(jsonOf(long)).toEqual({
    error: 14,
    message: 'the JSON has a number that is too long: more than 10000 digits',
  })
})
