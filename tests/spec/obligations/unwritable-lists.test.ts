import { expect, test } from 'vitest'
import { loadContract, obligationsOf } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const list = (items: object) => ({ type: 'array', items, minItems: 0, maxItems: 5, uniqueItems: true })
const object = { type: 'object', properties: { n: { type: 'integer' } } }
const number = { type: 'integer' }

const aboutLists = async (operation: object, place: string): Promise<readonly string[]> => {
  const responses = { 200: { description: 'ok' }, 400: { description: 'no' } }
  const contract = await loadContract({
    from: writeDocument(
      'lists.json',
      documentWith({ '/a': { post: { operationId: 'a', ...operation, responses } } }),
    ),
  })
  return obligationsOf(contract, 'declared')
    .flatMap(({ id }) =>
      id.startsWith(`a/request/${place}/`) ? [id.replace(`a/request/${place}/`, '')] : [],
    )
    .filter(id => /^(?:items|maxItems|uniqueItems|type)\b/.test(id))
    .toSorted()
}

test.each(['query', 'header'])(
  'lists of objects cannot be written in a %s, and those of numbers can',
  async part => {
    const of = (items: object): Promise<readonly string[]> =>
      aboutLists({ parameters: [{ name: 'q', in: part, schema: list(items) }] }, `${part}/q`)
    expect(await of(object)).toEqual([])
    expect(await of(number)).toEqual(['items/most', 'items/several', 'maxItems', 'uniqueItems'])
  },
)

test.each<readonly [string, string, readonly string[]]>([
  ['multipart/form-data', 'object', ['items/most', 'items/several', 'maxItems', 'uniqueItems']],
  ['application/x-www-form-urlencoded', 'number', ['items/most', 'items/several', 'maxItems', 'uniqueItems']],
  [
    'application/json',
    'object',
    [
      ...['items/least', 'items/most', 'items/several', 'maxItems'],
      ...['boolean', 'null', 'number', 'object', 'string'].map(type => `type/${type}`),
      'uniqueItems',
    ],
  ],
])('a list in %s: each part is one of its items (%s)', async (type, items, expected) => {
  const schema = { type: 'object', properties: { p: list(items === 'object' ? object : number), q: number } }
  expect(await aboutLists({ requestBody: { content: { [type]: { schema } } } }, 'body/p')).toEqual(expected)
})
