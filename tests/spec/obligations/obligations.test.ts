import { expect, test } from 'vitest'
import { loadContract, obligationsOf, protocolObligationsOf } from '../../../spec/index.ts'
import { bodyKinds, headKinds } from '../../../spec/obligations/inputs/malformed-http/index.ts'
import { libraryDocument } from '../../documents/index.ts'
import { contractOfBody, contracts, documentWith, writeDocument } from '../contracts.ts'

const names = ['plantStore', 'library', 'orders', 'payments'] as const

// The places of a schema are in the obligations.
const withoutRoots = (key: string, value: unknown): unknown => (key === 'root' ? undefined : value)

test.each(names)('the compiled contract of %s', async name => {
  const { digest, requests, responses, document, place, rule, source, ...rest } = contracts[name]
  await expect(`${JSON.stringify(rest, withoutRoots, 2)}\n`).toMatchFileSnapshot(
    `golden/${name}.contract.json`,
  )
})

test.each(names)('the obligations of %s with their levels', async name => {
  const lines = obligationsOf(contracts[name]).map(({ id, level }) => `${level.padEnd(7)} ${id}`)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.obligations.txt`)
})

test('the requirements of the plant store in words, with those of HTTP itself', async () => {
  const obligations = [...obligationsOf(contracts.plantStore), ...protocolObligationsOf(contracts.plantStore)]
  const lines = obligations.map(({ id, requirement }) => `${id}  ${requirement}`)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/plantStore.requirements.txt')
})

test.each(names)('every obligation of %s has a unique id, a sentence and a place', name => {
  const obligations = obligationsOf(contracts[name])
  expect(new Set(obligations.map(({ id }) => id)).size).toBe(obligations.length)
  for (const { id, operation, requirement, clause } of obligations) {
    expect(id.startsWith(`${operation}/`)).toBe(true)
    expect(id).toMatch(/^\S+$/)
    expect(requirement).toMatch(/^[a-z`0-9"[{-].*[^.]$/)
    expect(requirement).not.toMatch(/undefined|null,|\[object/)
    expect(clause.place.file).toMatch(/\.(yaml|json)$/)
    expect(clause.place.line).toBeGreaterThan(0)
  }
})

test.each([
  ['plantStore', 'createPlant'],
  ['library', 'createLoan'],
] as const)(
  'the protocol obligations of %s are named after one operation, the first with a body',
  (name, operation) => {
    const obligations = protocolObligationsOf(contracts[name])
    expect(obligations).toHaveLength(headKinds.length + bodyKinds.length + 1)
    for (const { id, clause, requirement } of obligations) {
      expect(id).toMatch(new RegExp(`^${operation}/protocol/[a-z0-9.-]+$`))
      expect(clause.rule).toMatch(/RFC 911[02] \d/)
      expect(requirement).toMatch(/^[a-z`].*[^.]$/)
    }
  },
)

test('the same document gives the same obligations and digest', async () => {
  const again = await loadContract({ from: libraryDocument })
  expect(obligationsOf(again)).toEqual(obligationsOf(contracts.library))
  expect(again.digest).toBe(contracts.library.digest)
})

test('a place has the rule of the nearest enclosing place', () => {
  const { rule } = contracts.plantStore
  expect(rule('/paths/~1plants/post/responses/400/content')).toBe('Endpoints, Create plant, rule 3')
  expect(rule('/paths/~1plants/post/summary')).toBe('Endpoints, Create plant')
  expect(rule('/info')).toBeNull()
})

test('operations whose paths make the same name get different ids', async () => {
  const get = { responses: { 200: { description: 'ok' } } }
  const from = writeDocument(
    'twins.json',
    documentWith({ '/a-b': { get }, '/a/b': { get }, '/c': { get: { ...get, operationId: 'get-a-b' } } }),
  )
  const contract = await loadContract({ from })
  expect(contract.operations.map(({ id }) => id)).toEqual(['get-a-b-2', 'get-a-b-3', 'get-a-b'])
})

test('an operation without declared responses has no obligations on them', async () => {
  const contract = await loadContract({
    from: writeDocument('silent.json', documentWith({ '/a': { get: {} } })),
  })
  expect(obligationsOf(contract).filter(({ family }) => family === 'response')).toEqual([])
})

test('a parameter of an operation replaces that of its path', async () => {
  const parameter = (maximum: number) => [{ name: 'n', in: 'query', schema: { type: 'integer', maximum } }]
  const from = writeDocument(
    'override.json',
    documentWith({
      '/a': {
        parameters: parameter(5),
        get: { parameters: parameter(9), responses: { 200: { description: 'ok' } } },
      },
    }),
  )
  const [operation] = (await loadContract({ from })).operations
  expect(operation?.parameters.map(({ pointer }) => pointer)).toEqual(['/paths/~1a/get/parameters/0'])
})

test('optional security requires nothing', () => {
  const { operations } = contracts.library
  expect(operations.map(({ id, security }) => [id, security.length])).toEqual([
    ['listBooks', 2],
    ['getBook', 0],
    ['removeBook', 1],
    ['get-books-bookId-text', 0],
    ['createLoan', 2],
    ['putShelf', 1],
    ['sendFeedback', 0],
  ])
})

test('a recursive schema is followed once', async () => {
  const contract = await contractOfBody(
    { $ref: '#/components/schemas/Tree' },
    {
      components: {
        schemas: {
          Tree: {
            type: 'object',
            properties: {
              next: { $ref: '#/components/schemas/Tree' },
              size: { type: 'integer', maximum: 9 },
            },
          },
        },
      },
    },
  )
  const limits = obligationsOf(contract).filter(
    ({ id }) => id.includes('/request/') && id.endsWith('/size/maximum'),
  )
  expect(limits.map(({ id }) => id)).toEqual([
    'a/request/body/next/size/maximum',
    'a/request/body/size/maximum',
  ])
})

test.each([
  [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    { type: 'string', nullable: true, enum: ['a'] },
    { type: 'string', enum: ['a'], 'x-open-null': true },
  ],
  [
    { nullable: true, allOf: [{ type: 'string', nullable: false }] },
    { allOf: [{ type: 'string' }], 'x-open-null': true },
  ],
  [{ minimum: 3, exclusiveMinimum: true }, { exclusiveMinimum: 3 }],
  [{ maximum: 3, exclusiveMaximum: false }, { maximum: 3 }],
  [{ exclusiveMaximum: true }, {}],
  [
    {
      type: 'object',
      properties: { default: { type: 'string', nullable: true }, enum: { type: 'string', nullable: true } },
    },
    {
      type: 'object',
      properties: { default: { type: ['string', 'null'] }, enum: { type: ['string', 'null'] } },
    },
  ],
  [
    { type: 'object', default: { nullable: true }, example: { nullable: true } },
    { type: 'object', default: { nullable: true }, example: { nullable: true } },
  ],
])('the 3.0 schema %j means %j, also in a default response', async (old, modern) => {
  const content = { 'application/json': { schema: old } }
  const text = documentWith(
    { '/a': { get: { responses: { default: { description: 'any', content } } } } },
    { openapi: '3.0.3' },
  )
  const { document } = await loadContract({ from: writeDocument('old.json', text) })
  expect(document.paths).toMatchObject({
    '/a': { get: { responses: { default: { content: { 'application/json': { schema: modern } } } } } },
  })
  expect(JSON.stringify(document)).toContain(JSON.stringify(modern))
})

const rejectedOf = async (schema: object): Promise<readonly string[]> =>
  obligationsOf(await contractOfBody(schema), 'declared').flatMap(({ id, family, subject }) =>
    family === 'reject' && subject.kind === 'keyword' && subject.keyword !== 'type'
      ? [id.replace('a/request/body/', '')]
      : [],
  )

test('what no value breaks is no requirement: lengths of 0, and two alternatives that no value fits', async () => {
  const limits = {
    a: { type: 'string', minLength: 0 },
    b: { type: 'array', minItems: 0 },
    c: { type: 'object', minProperties: 0 },
  }
  expect(await rejectedOf({ type: 'object', properties: limits })).toEqual([])
  const kind = (values: object, required: readonly string[] = ['kind']) => ({
    type: 'object',
    required,
    properties: { kind: values },
  })
  const two = async (left: object, right: object): Promise<boolean> =>
    (await rejectedOf({ oneOf: [left, right] })).includes('oneOf/two')
  expect(await two(kind({ const: 'a' }), kind({ enum: ['b', 'c'] }))).toBe(false)
  expect(await two({ type: 'string' }, kind({ const: 'b' }))).toBe(false)
  // Without the property, or with a value that both have, a value fits both.
  expect(await two(kind({ const: 'a' }), kind({ const: 'b' }, []))).toBe(true)
  expect(await two(kind({ enum: ['a', 'b'] }), kind({ enum: ['b', 'c'] }))).toBe(true)
  expect(await two(kind({ type: 'string' }), kind({ const: 'b' }))).toBe(true)
  // A text fits both if neither says that it is an object.
  const untyped = (value: string) => ({ required: ['kind'], properties: { kind: { const: value } } })
  expect(await two(untyped('a'), untyped('b'))).toBe(true)
  expect(await two(kind({ const: 'a' }), untyped('b'))).toBe(false)
  expect(await rejectedOf({ type: 'object', oneOf: [untyped('a'), untyped('b')] })).toEqual(['oneOf'])
  // A closed object has no property that only the other one declares.
  const closed = (name: string, required: readonly string[] = [name]) => ({
    type: 'object',
    required,
    properties: { [name]: {} },
    additionalProperties: false,
  })
  expect(await two(closed('a'), closed('b'))).toBe(false)
  expect(await two(closed('a'), { ...closed('b'), additionalProperties: true })).toBe(false)
  expect(await two(closed('a', []), closed('b', []))).toBe(true)
})

const presentIn = async (schema: object): Promise<readonly (readonly string[])[]> =>
  obligationsOf(await contractOfBody(schema), 'declared').flatMap(({ subject }) =>
    subject.kind === 'presence' ? [subject.present] : [],
  )

test('only those properties come together that alternatives of required ones let', async () => {
  const properties = { a: {}, b: {}, c: {} }
  const one = ['a', 'b'].map(name => ({ required: [name] }))
  const object = { type: 'object', properties }
  expect(await presentIn({ ...object, oneOf: one })).toEqual([['a'], ['b'], ['a', 'c'], ['b', 'c']])
  expect((await presentIn({ ...object, anyOf: one })).map(names => names.join(''))).toEqual([
    'a',
    'b',
    'ab',
    'ac',
    'bc',
    'abc',
  ])
  expect(
    (await presentIn({ ...object, not: { required: ['a', 'b'] } })).map(names => names.join('')),
  ).toEqual(['', 'a', 'b', 'c', 'ac', 'bc'])
  // What else alternatives say is not looked into.
  expect(await presentIn({ ...object, oneOf: [{ required: ['a'], properties }, {}] })).toHaveLength(8)
})

test('nothing is required of a property that a closed part of the schema, or false, rules out', async () => {
  const text = { type: 'string' }
  const part = (name: string) => ({
    type: 'object',
    properties: { [name]: text, both: text },
    additionalProperties: false,
  })
  for (const schema of [
    { allOf: [part('a'), part('b')] },
    { type: 'object', properties: { a: false, both: text, b: false } },
  ]) {
    const contract = await contractOfBody(schema)
    const places = obligationsOf(contract, 'declared').flatMap(({ family, subject }) =>
      family !== 'response' && 'location' in subject ? [subject.location.place] : [],
    )
    expect([...new Set(places)].filter(place => place !== '')).toEqual(['/both'])
    expect(await presentIn(schema)).toEqual([[], ['both']])
  }
})

test('no empty text is required to be rejected where it makes another path', async () => {
  const of = async (path: string, minLength: number): Promise<boolean> => {
    const responses = { 200: { description: 'ok' }, 404: { description: 'no' } }
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string', minLength } }]
    const contract = await loadContract({
      from: writeDocument(
        'path.json',
        documentWith({ [path]: { get: { operationId: 'a', parameters, responses } } }),
      ),
    })
    return obligationsOf(contract, 'declared').some(({ id }) => id === 'a/request/path/id/minLength')
  }
  expect(await of('/a/{id}', 1)).toBe(false)
  expect(await of('/a/{id}', 2)).toBe(true)
  expect(await of('/a/{id}.json', 1)).toBe(true)
})

test('a name in a path may have odd letters, control characters or NUL, and each is a requirement of its own', async () => {
  const responses = { 200: { description: 'ok' }, 404: { description: 'no' } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  const contract = await loadContract({
    from: writeDocument(
      'names.json',
      documentWith({
        '/a/{id}': {
          get: { operationId: 'a', parameters, responses },
          delete: { operationId: 'b', parameters, responses },
        },
      }),
    ),
  })
  const obligations = obligationsOf(contract, 'declared')
  const found = (id: string): string | undefined => obligations.find(each => each.id === id)?.level
  for (const name of ['odd', 'control', 'nul']) expect(found(`a/request/path/id/${name}`)).toBe('SHOULD')
  // Of a GET it is a requirement, of other methods a question.
  expect([found('a/request/header/type-of-no-body'), found('a/unspecified/type-of-no-body')]).toEqual([
    'SHOULD',
    undefined,
  ])
  expect([found('b/request/header/type-of-no-body'), found('b/unspecified/type-of-no-body')]).toEqual([
    undefined,
    'OBSERVE',
  ])
})
