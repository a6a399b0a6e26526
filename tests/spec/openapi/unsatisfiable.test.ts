import { expect, test } from 'vitest'
import { loadContract, type Operation, parseJson } from '../../../spec/index.ts'
import { contradictionIn } from '../../../spec/openapi/unsatisfiable/contradictions.ts'
import { withoutRepeatedAlternatives } from '../../../spec/openapi/unsatisfiable/repeated-alternatives.ts'
import { contractOfBody, documentWith, writeDocument } from '../contracts.ts'

const documentOf = (...oneOf: readonly unknown[]) => ({
  components: {
    schemas: {
      Any: { oneOf },
      Error: { type: 'object', properties: { error: { type: 'string', default: 'a' } } },
      Same: { description: 'the same', $ref: '#/components/schemas/Error' },
      Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
      Twin: { type: 'object', properties: { next: { $ref: '#/components/schemas/Twin' } } },
    },
  },
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const kept = (...oneOf: readonly unknown[]): readonly number[] => {
  const { components } = withoutRepeatedAlternatives(documentOf(...oneOf)) as ReturnType<typeof documentOf>
  return components.schemas.Any.oneOf.flatMap((alternative, index) => (alternative === false ? [] : [index]))
}

test.each([
  [
    'annotations',
    [
      { type: 'string', title: 'a' },
      { title: 'b', type: 'string' },
    ],
    [0],
  ],
  ['a reference', [ref('Error'), ref('Same'), { type: 'null' }], [0, 2]],
  [
    'a default inside',
    [ref('Error'), { properties: { error: { default: 'b', type: 'string' } }, type: 'object' }],
    [0],
  ],
  ['a limit', [{ type: 'string', maxLength: 5 }, { type: 'string' }], [0, 1]],
  ['a property called title', [{ properties: { title: { type: 'string' } } }, { properties: {} }], [0, 1]],
  ['a member of an enum', [{ enum: [{ title: 'a' }] }, { enum: [{ title: 'b' }] }], [0, 1]],
  // Too much to compare.
  ['schemas that refer to themselves', [ref('Node'), ref('Twin')], [0, 1]],
])('alternatives that differ in %s', (_what, oneOf, indexes) => {
  expect(kept(...oneOf)).toEqual(indexes)
})

test('a warning names them, and only responses are read so', async () => {
  const schema = {
    oneOf: [
      { type: 'string', title: 'a' },
      { type: 'string', title: 'b' },
    ],
  }
  const content = { 'application/json': { schema } }
  const from = writeDocument(
    'api.json',
    documentWith({
      '/a': { post: { requestBody: { content }, responses: { 200: { description: 'ok', content } } } },
    }),
  )
  const { warnings, requests, responses, operations } = await loadContract({ from })
  expect(warnings.map(({ message }) => message)).toContainEqual(
    'the alternatives 1 and 2 of oneOf are the same, so that no value fits exactly one: a response need fit only one of them',
  )
  const [operation] = operations
  const sent = operation?.body?.media[0]?.schema ?? ''
  const answered = operation?.responses[0]?.media[0]?.schema ?? ''
  expect(requests.schemas.validator(sent)('x')).toHaveLength(1)
  expect(responses.schemas.validator(answered)('x')).toEqual([])
})

const contradiction = (schema: Readonly<Record<string, unknown>>): readonly string[] =>
  contradictionIn(documentOf(), schema)

test.each([
  [{ type: 'array', enum: ['a'] }, ['type', 'enum']],
  [{ type: 'array', enum: ['a', []] }, []],
  [{ type: 'number', enum: [1] }, []],
  [{ type: 'integer', const: 'x' }, ['type', 'const']],
  [{ type: ['string', 'null'], enum: [null] }, []],
  [{ type: 'null', oneOf: [{ type: 'string' }, ref('Error')] }, ['type', 'oneOf']],
  [{ type: 'null', anyOf: [{ type: 'string' }, {}] }, []],
  [{ type: 'object', anyOf: [{ type: 'string' }, ref('Same')] }, []],
  [{ type: 'integer', oneOf: [{ type: 'number' }] }, []],
  [{ enum: ['a'], oneOf: [{ type: 'null' }] }, []],
])('%j: what contradicts itself is %j', (schema, expected) => {
  expect(contradiction(schema)).toEqual(expected)
})

test('responses are read without what contradicts itself, and requests with it', async () => {
  const schema = { type: 'object', properties: { a: { type: 'array', enum: ['x'] } } }
  const { requests, responses, operations } = await contractOfBody(schema)
  const { body, responses: declared } = operations[0] as Operation
  const value = parseJson('{"a":"anything"}')
  const [success] = declared
  expect(requests.schemas.validator(body?.media[0]?.schema as string)(value)).not.toEqual([])
  expect(responses.schemas.validator(success?.media[0]?.schema as string)(value)).toEqual([])
})
