import { expect, test } from 'vitest'
import { deriveObligations, loadContract, traceOf } from '../../../spec/index.ts'
import { contractOfBody, documentWith, writeDocument } from '../contracts.ts'

const operations = 300

/** Operations that all answer with one schema. */
const alike = await loadContract({
  from: writeDocument(
    'alike.json',
    documentWith(
      Object.fromEntries(
        Array.from({ length: operations }, (_, index) => [
          `/a${index}`,
          {
            get: {
              responses: {
                200: {
                  description: 'ok',
                  content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
                },
              },
            },
          },
        ]),
      ),
      {
        components: {
          schemas: {
            Thing: {
              type: 'object',
              required: ['a'],
              properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } },
            },
          },
        },
      },
    ),
  ),
})

test('the obligations of an operation are derived when they are asked for', () => {
  const [first, second] = deriveObligations({ ...alike, operations: alike.operations.slice(0, 1) })
  expect(first?.length).toBeGreaterThan(20)
  expect(second).toBeUndefined()
  const broken = {
    ...alike,
    get operations() {
      return [alike.operations[0] as (typeof alike.operations)[0], null as never]
    },
  }
  const groups = deriveObligations(broken)
  expect(groups.next().value).toEqual(first)
  expect(() => groups.next()).toThrow()
})

test('operations that share a schema share what is derived from it', () => {
  const groups = [...deriveObligations(alike)]
  expect(groups).toHaveLength(operations)
  const subjects = new Set(
    groups
      .flat()
      .flatMap(({ subject }) => ('aspect' in subject && subject.aspect === 'schema' ? [subject] : [])),
  )
  expect([...subjects].map(subject => 'place' in subject && `${subject.place} ${subject.keyword}`)).toEqual([
    ' type',
    '/a required',
    '/a type',
    '/b type',
    '/b/* type',
  ])
  const clauses = new Set(
    groups.flat().flatMap(({ clause, id }) => (id.endsWith('/body/a/type') ? [clause] : [])),
  )
  expect(clauses.size).toBe(1)
})

test('operations that share a parameter share what is derived from it', async () => {
  const contract = await loadContract({
    from: writeDocument(
      'parameters.json',
      documentWith(
        Object.fromEntries(
          ['/a', '/b'].map(path => [
            path,
            {
              get: {
                parameters: [
                  { $ref: '#/components/parameters/Page' },
                  { name: 'own', in: 'query', schema: { type: 'boolean' } },
                ],
                responses: { 200: { description: 'ok' } },
              },
            },
          ]),
        ),
        {
          components: {
            parameters: { Page: { name: 'page', in: 'query', required: true, schema: { type: 'integer' } } },
          },
        },
      ),
    ),
  })
  const [first = [], second = []] = deriveObligations(contract)
  const pathOf = ({ id, operation }: (typeof first)[number]): string => id.slice(operation.length)
  const ofSecond = new Map(second.map(each => [pathOf(each), each]))
  expect(first.map(pathOf)).toEqual([...ofSecond.keys()])
  const shared = first.filter(each => each.subject === ofSecond.get(pathOf(each))?.subject).map(pathOf)
  expect(shared).toContain('/request/query/page/type/string')
  expect(shared).toContain('/request/query/page/required')
  expect(shared.filter(path => !path.startsWith('/request/query/page/'))).toEqual([])
})

test('a thousand clauses with many obligations each are traced in a moment', async () => {
  const obligations = [...deriveObligations(alike)].flat()
  const clauses = traceOf(alike, obligations)
  expect(clauses.length).toBeGreaterThan(operations)
  const order = new Map(obligations.map(({ id }, index) => [id, index]))
  for (const { obligations: covering } of clauses) {
    const positions = covering.map(id => order.get(id) ?? -1)
    expect(positions).toEqual(positions.toSorted((left, right) => left - right))
  }
})

test('an object with thousands of optional properties has a list of obligations that grows with their number', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `p${index}`)
  const properties = Object.fromEntries(names.map(name => [name, { type: 'boolean' }]))
  const contract = await contractOfBody({ type: 'object', properties })
  const ids = [...deriveObligations(contract)]
    .flat()
    .flatMap(({ id }) => (id.includes('/presence/') ? [id] : []))
  expect(ids).toHaveLength(102)
  expect(ids.every(id => id.length < 100)).toBe(true)
})
