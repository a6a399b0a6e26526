/** A request asks for what the document declares, in its order. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { answering } from '../judge/answering.ts'

const last = '*/*;q=0.1'

const acceptsOf = async (document: string): Promise<ReadonlySet<string>> => {
  const seen = new Set<string>()
  const target = await answering(({ headers, method, url }) => {
    if (method === 'GET' && url.pathname === '/a') seen.add(headers.accept ?? '')
    return { status: 200 }
  })
  await verify({
    contract: writeDocument('types.json', document),
    target,
    only: ['*/request/valid', '*/response/*', '*/request/header/long'],
    cases: 20,
    seed: 1,
    sustained: 0,
  })
  return seen
}

const content = (types: readonly string[]) => Object.fromEntries(types.map(type => [type, {}]))
const get = (types: readonly string[], failures: readonly string[] = []) =>
  documentWith({
    '/a': {
      get: {
        operationId: 'a',
        responses: {
          200: { description: 'ok', content: content(types) },
          400: { description: 'no', content: content(failures) },
        },
      },
    },
  })

test.each<readonly [types: readonly string[], failures: readonly string[], accept: string]>([
  [['image/png'], [], `image/png, ${last}`],
  [['image/webp', 'image/png'], [], `image/webp, image/png, ${last}`],
  [['image/*'], [], `image/*, ${last}`],
  [['application/json'], ['application/json'], `application/json, ${last}`],
  [['text/csv'], ['application/problem+json'], `text/csv, application/problem+json;q=0.5, ${last}`],
  // JSON shows most, so it is preferred, and the order stays that of the document.
  [
    ['application/xml', 'application/json', 'text/csv'],
    [],
    `application/xml;q=0.9, application/json, text/csv;q=0.9, ${last}`,
  ],
  [['application/vnd.x+json; version=2'], [], `application/vnd.x+json; version=2, ${last}`],
  [['text/html; charset=utf-8'], [], `text/html, ${last}`],
  [['json', 'text/csv'], [], `text/csv, ${last}`],
  [['*/*'], [], `application/json, ${last}`],
  [[], [], `application/json, ${last}`],
])('%j and failures in %j', async (types, failures, accept) => {
  expect([...(await acceptsOf(get(types, failures)))]).toEqual([accept])
})

test.each([
  [
    'its own',
    { produces: ['text/csv'] },
    { produces: ['image/png', 'image/gif'] },
    `image/png, image/gif, ${last}`,
  ],
  ['that of the document', { produces: ['image/png'] }, {}, `image/png, ${last}`],
  ['none', {}, {}, `application/json, ${last}`],
])(
  'in Swagger 2.0, also if a response has no schema, what an operation produces is asked for: %s',
  async (_name, ofDocument, own, accept) => {
    const swagger = (response: object): string =>
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'A', version: '1' },
        ...ofDocument,
        paths: {
          '/a': { get: { operationId: 'a', ...own, responses: { 200: { description: 'ok', ...response } } } },
        },
      })
    expect([...(await acceptsOf(swagger({})))]).toEqual([accept])
    expect([...(await acceptsOf(swagger({ schema: { type: 'file' } })))]).toEqual([accept])
  },
)
