/** Problem details (RFC 9457) are what they are, whatever the document says of their schema. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Contract, createResponseJudge, loadContract, obligationsOf } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../contracts.ts'

const contractOf = (media: object): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'problems.json',
      documentWith({
        '/a': {
          get: {
            operationId: 'getA',
            responses: {
              200: { description: 'a' },
              '4XX': { description: 'a problem', content: media },
            },
          },
        },
      }),
    ),
  })

const problem = 'application/problem+json'
const bare = await contractOf({ [problem]: {} })
const loose = await contractOf({ [problem]: { schema: { type: 'object' } } })
const typed = await contractOf({
  [problem]: {
    schema: { type: 'object', properties: { status: { type: 'integer' }, title: { type: 'string' } } },
  },
})
const plain = await contractOf({ 'application/json': { schema: { type: 'object' } } })

const violated = (
  contract: Contract,
  value: unknown,
  type = `${problem}; charset=utf-8`,
): readonly string[] =>
  createResponseJudge(contract, operationOf(contract, 'getA'))(
    {
      status: 404,
      headers: [['content-type', type]],
      body: new TextEncoder().encode(JSON.stringify(value)),
    },
    undefined,
  ).map(({ id }) => id.replace('getA/response/4XX/', ''))

test('each response that declares problem details has the requirement, and no other', () => {
  const idsOf = (contract: Contract): readonly string[] =>
    obligationsOf(contract).flatMap(({ id }) => (id.endsWith('/problem') ? [id] : []))
  for (const contract of [bare, loose, typed]) expect(idsOf(contract)).toEqual(['getA/response/4XX/problem'])
  expect(idsOf(plain)).toEqual([])
})

test.each([
  [{}, []],
  [{ status: 404, title: 'Not found', type: 'about:blank', detail: '', instance: '/a?b#c' }, []],
  [{ status: null, title: null, type: null, detail: null, instance: null, code: [] }, []],
  [{ status: 404.0, type: '../problems/%20' }, []],
  [{ status: 400 }, ['problem']],
  [{ status: '404' }, ['problem']],
  [{ type: 'not found' }, ['problem']],
  [{ type: 404 }, ['problem']],
  [{ instance: 'http://[' }, ['problem']],
  [{ title: ['Not found'] }, ['problem']],
  [{ detail: {} }, ['problem']],
  [{ status: 400, title: 5, detail: 5 }, ['problem']],
])('%j breaks %j', (value, expected) => {
  expect(violated(loose, value)).toEqual(expected)
  expect(violated(bare, value)).toEqual(expected)
  expect(violated(plain, value, 'application/json')).toEqual([])
})

test('what the schema says is told by its own requirement alone', () => {
  expect(violated(typed, { title: 5 })).toEqual(['body/title/type'])
  expect(violated(typed, { title: 5, status: 400 })).toEqual(['body/title/type', 'problem'])
  expect(violated(loose, 'Not found')).toEqual(['body/type'])
  expect(violated(bare, 'Not found')).toEqual(['problem'])
})

test('members that RFC 9457 does not define may be anything', () => {
  const known = ['type', 'title', 'status', 'detail', 'instance']
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter(name => !known.includes(name) && name !== '__proto__'),
        fc.jsonValue(),
      ),
      fc.webUrl(),
      fc.string(),
      (extensions, type, title) => {
        const value = { ...extensions, type, title, status: 404 }
        expect(violated(loose, value)).toEqual([])
        expect(violated(loose, { ...value, status: 405 })).toEqual(['problem'])
      },
    ),
  )
})
