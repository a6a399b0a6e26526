import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { json, jsonOf, send, startMock } from '../client.ts'

const text = { type: 'string' }
const number = { type: 'integer' }

/** The body of the failure for a request with two violations, if failures have this schema. */
const failureOf = async (
  schema: object,
  body = '{"size":"a","parts":[{"n":1},{"n":"x"}]}',
  path = '/a?x=1',
) => {
  const sent = {
    type: 'object',
    properties: {
      size: number,
      parts: { type: 'array', items: { type: 'object', properties: { n: number } } },
    },
  }
  const paths = {
    '/a': {
      post: {
        parameters: [{ name: 'q', in: 'query', schema: number }],
        requestBody: { required: true, content: { 'application/json': { schema: sent } } },
        responses: {
          200: { description: 'ok' },
          422: { description: 'no', content: { 'application/json': { schema } } },
        },
      },
    },
  }
  const mock = await startMock({
    contract: await loadContract({ from: writeDocument('failure.json', documentWith(paths)) }),
  })
  const response = await send(mock, { method: 'POST', path, headers: json, body })
  expect(response.status).toBe(422)
  return jsonOf(response)
}

const object = (properties: object, required: readonly string[] = Object.keys(properties)): object => ({
  type: 'object',
  required,
  properties,
})

const [size, part] = ['/size must be an integer', '/parts/1/n must be an integer']
const both = `${size}; ${part}`

test('a failure has the code, and the text, pointer, name and part of the first invalid value', async () => {
  expect(
    await failureOf(object({ code: number, message: text, pointer: text, field: text, location: text })),
  ).toEqual({ code: 21, message: both, pointer: '/size', field: 'size', location: 'body' })
})

test('a code of type string is the number as text, and a property with a string among its alternatives gets the text', async () => {
  expect(
    await failureOf(object({ code: text, error: { anyOf: [text, { type: 'array', items: text }] } })),
  ).toEqual({ code: '21', error: both })
})

test('each reason has an entry with its own pointer', async () => {
  const entry = object({ pointer: text, detail: text, code: number })
  expect(await failureOf(object({ detail: text, errors: { type: 'array', items: entry } }))).toEqual({
    detail: both,
    errors: [
      { code: 21, detail: size, pointer: '/size' },
      { code: 21, detail: part, pointer: '/parts/1/n' },
    ],
  })
  expect(await failureOf(object({ violations: { type: 'array', items: text } }))).toEqual({
    violations: [size, part],
  })
})

test('an envelope is filled, and optional properties without a known value are not made up', async () => {
  const error = object({ code: number, message: text, help: text }, ['code', 'message'])
  expect(await failureOf(object({ error, trace: text }, ['error']))).toEqual({
    error: { code: 21, message: both },
  })
})

test('a problem detail has type, title, status and instance as in RFC 9457', async () => {
  const uri = { type: 'string', format: 'uri-reference' }
  const problem = object({ type: uri, title: text, status: number, detail: text, instance: uri })
  expect(await failureOf(problem)).toEqual({
    type: 'about:blank',
    title: 'Unprocessable Content',
    status: 422,
    detail: both,
    instance: '/a',
  })
})

test('values that the schema of the failure does not allow are left out, and the rest is true', async () => {
  const status = { ...number, enum: [1, 2] }
  const failure = (await failureOf(object({ status, message: text }))) as { status: number }
  expect(failure).toMatchObject({ message: both })
  expect([1, 2]).toContain(failure.status)
})

test('a required pointer without a value to point at is that of the whole body', async () => {
  expect(await failureOf(object({ message: text, pointer: text }), '{')).toEqual({
    message: 'the body is not JSON: it ends too early, after 1 characters',
    pointer: '',
  })
})

test('beside the part of the request, a pointer leads to a parameter', async () => {
  const failure = { code: number, pointer: text, location: text }
  expect(await failureOf(object(failure), '{}', '/a?q=x')).toEqual({
    code: 31,
    pointer: '/q',
    location: 'query',
  })
  // Without it, one would be taken for a place in the body.
  expect(await failureOf(object({ code: number, pointer: text }, ['code']), '{}', '/a?q=x')).toEqual({
    code: 31,
  })
})

test.each([
  'errors',
  'details',
  'violations',
  'issues',
  'problems',
  'causes',
  'invalid-params',
  'invalidParams',
  'invalid_params',
  'validation',
])('%s has an entry for each reason', async name => {
  const entry = object({ name: text, reason: text })
  expect(await failureOf(object({ [name]: { type: 'array', items: entry } }))).toEqual({
    [name]: [
      { name: 'size', reason: size },
      { name: 'parts.1.n', reason: part },
    ],
  })
})

test.each(['error', 'fault', 'problem', 'failure', 'err'])('the envelope %s is filled', async name => {
  expect(await failureOf(object({ [name]: object({ code: number, message: text }) }))).toEqual({
    [name]: { code: 21, message: both },
  })
})
