/** The header Accept chooses among the declared media types (RFC 9110, 12.5.1). */
import { expect, test } from 'vitest'
import { type HttpResponse, header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const failure = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } }
const csv = 'id,name\n1,Fern\n'

const paths = {
  '/orders': {
    get: {
      operationId: 'exportOrders',
      responses: {
        200: {
          description: 'ok',
          content: {
            'text/csv': {
              schema: { type: 'string' },
              examples: { small: { value: csv }, empty: { value: 'id,name\n' } },
            },
            'application/json': { schema: { type: 'array', items: order } },
            'application/xml': { schema: order },
            'application/x-thing': { schema: order },
          },
        },
      },
    },
  },
  '/strict': {
    get: {
      operationId: 'strict',
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: order } } },
        406: { description: 'no', content: { 'application/json': { schema: failure } } },
      },
    },
  },
  '/any': {
    get: {
      operationId: 'any',
      responses: { 200: { description: 'ok', content: { '*/*': { schema: order } } } },
    },
  },
  '/picture': {
    get: {
      operationId: 'picture',
      responses: {
        200: { description: 'ok', content: { 'image/*': { schema: { type: 'string' } } } },
      },
    },
  },
  '/xml': {
    get: {
      operationId: 'xml',
      parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
      responses: {
        200: { description: 'ok', content: { 'application/xml': { schema: order } } },
        400: {
          description: 'no',
          content: {
            'application/problem+json': { schema: failure },
            'text/plain': { schema: { type: 'string' } },
          },
        },
      },
    },
  },
}

const contract = await loadContract({ from: writeDocument('accept.json', documentWith(paths)) })

const answer = async (
  path: string,
  accept: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<
  HttpResponse & { readonly type: string | null; readonly text: string; readonly said: string[] }
> => {
  const said: string[] = []
  const mock = await startMock({ contract, warn: message => void said.push(message) })
  const response = await send(mock, {
    method: 'GET',
    path,
    headers: { ...headers, ...(accept === null ? {} : { Accept: accept }) },
  })
  const type = header(response.headers, 'content-type')
  return { ...response, type, text: Buffer.from(response.body).toString(), said }
}

test.each([
  ['application/json', 'application/json'],
  ['*/*', 'application/json'],
  ['', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/csv; charset=utf-8', 'text/csv'],
  ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
  ['text/csv;q=0.4, application/json;q=0.5', 'application/json'],
  ['application/json;q=0, */*', 'text/csv'],
  ['text/csv, */*;q=0.1', 'text/csv'],
  ['text/html, */*;q=0.1', 'application/json'],
  ['image/png', 'application/json'],
  ['%%%', 'application/json'],
  // The mock cannot write XML, and the document has no example of it.
  ['application/xml, application/json;q=0.5', 'application/xml'],
  ['application/x-thing, application/json;q=0.5', 'application/json'],
])('Accept: %s gets %s', async (accept, type) => {
  const response = await answer('/orders', accept)
  expect([response.status, response.type]).toEqual([200, type])
  expect(header(response.headers, 'vary')).toBe('Accept')
  if (type === 'text/csv') expect(response.text).toBe(csv)
  else if (type === 'application/json') expect(Array.isArray(jsonOf(response))).toBe(true)
})

test('what the mock cannot make is named once, with its line, and the usual media type is sent', async () => {
  const said: string[] = []
  const mock = await startMock({ contract, warn: message => void said.push(message) })
  for (const Accept of [
    'application/x-thing',
    'application/x-thing',
    'application/json;q=0.1, application/x-thing',
  ]) {
    const { headers } = await send(mock, { method: 'GET', path: '/orders', headers: { Accept } })
    expect(header(headers, 'content-type')).toBe('application/json')
  }
  expect(said).toEqual([
    expect.stringMatching(
      /^the mock cannot make application\/x-thing of the response 200 at .*accept\.json:\d+: add an example of it to the document$/,
    ),
  ])
})

test('an object is never written into a media type that is not JSON', async () => {
  const response = await answer('/xml', null)
  expect([response.status, response.type]).toEqual([200, 'application/xml'])
  expect(response.text).toMatch(/<root><id>\d+<\/id><name>[^<]+<\/name><\/root>$/)
})

test('an example that a client prefers is found in the media type that has it', async () => {
  const response = await answer('/orders', null, { Prefer: 'example=empty' })
  expect([response.type, response.text]).toEqual(['text/csv', 'id,name\n'])
})

test('a client that accepts no declared media type gets a 406 where one is declared', async () => {
  const refused = await answer('/strict', 'text/csv')
  expect([refused.status, jsonOf(refused)]).toEqual([
    406,
    {
      message: 'the mock can produce none of the media types in Accept; declared: application/json',
    },
  ])
  expect((await answer('/strict', 'application/json')).status).toBe(200)
  expect((await answer('/strict', null)).status).toBe(200)
})

test.each([
  ['/any', null, 'application/json'],
  ['/any', 'application/*', 'application/json'],
  ['/any', 'application/hal+json', 'application/hal+json'],
  ['/any', 'application/xml, */*;q=0.5', 'application/xml'],
  ['/picture', null, 'image/png'],
  ['/picture', 'image/webp', 'image/webp'],
  ['/picture', 'text/html', 'image/png'],
])('where %s declares a range, Accept: %s gets %s', async (path, accept, type) => {
  const response = await answer(path, accept)
  expect([response.status, response.type]).toEqual([200, type])
  if (path === '/any' && type === 'application/json')
    expect(jsonOf(response)).toMatchObject({ id: expect.any(Number) })
})

test('failures are negotiated as well', async () => {
  const message = 'the query parameter n must be an integer'
  const text = await answer('/xml?n=a', 'text/plain')
  expect([text.status, text.type, text.text]).toEqual([400, 'text/plain', message])
  const other = await answer('/xml?n=a', 'application/problem+json')
  expect([other.status, other.type, jsonOf(other)]).toEqual([400, 'application/problem+json', { message }])
})
