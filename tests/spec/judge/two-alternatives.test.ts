/** A value that fits two alternatives of `oneOf` is told as that, with their names, and not as what it breaks of the others. */
import { expect, test } from 'vitest'
import { createResponseJudge, violationMessage } from '../../../spec/index.ts'
import { contractOfBody, operationOf } from '../contracts.ts'

const object = (required: string, optional: string) => ({
  type: 'object',
  required: [required],
  properties: { [required]: { type: 'string' }, [optional]: { type: 'integer' } },
})
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const schemas = {
  Value: { oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'number' }, { type: 'string' }] },
  Cat: object('name', 'lives'),
  Dog: object('name', 'barks'),
  Fish: { type: 'object', required: ['depth'], properties: { depth: { type: 'number' } } },
  Pet: { oneOf: [reference('Fish'), reference('Cat'), reference('Dog')] },
  Nested: {
    oneOf: [{ type: 'object', required: ['pet'], properties: { pet: reference('Pet') } }, { type: 'string' }],
  },
}
const contract = await contractOfBody(
  {
    type: 'object',
    properties: {
      map: { type: 'array', items: { type: 'object', additionalProperties: reference('Value') } },
      pet: reference('Pet'),
      nested: reference('Nested'),
      n: { type: 'integer', minimum: 3 },
    },
  },
  { components: { schemas } },
)

const body = { in: 'body', name: '', place: '' } as const
const messagesOf = (value: object): readonly string[] =>
  contract.requests.schemas
    .validator('/paths/~1a/post/requestBody/content/application~1json/schema')(
      JSON.parse(JSON.stringify(value)),
    )
    .map(violation => violationMessage(body, violation))

const cats = '#/components/schemas/Cat and #/components/schemas/Dog'
const numbers = '#/components/schemas/Value/oneOf/1 (integer) and #/components/schemas/Value/oneOf/2 (number)'

test.each<readonly [object, readonly string[]]>([
  [{ map: [{ k: 2 }] }, [`/map/0/k fits two alternatives of \`oneOf\`: ${numbers}`]],
  [{ pet: { name: 'Fern' } }, [`/pet fits two alternatives of \`oneOf\`: ${cats}`]],
  [{ pet: { name: 'Fern', depth: 'deep' } }, [`/pet fits two alternatives of \`oneOf\`: ${cats}`]],
  // What is wrong beside it is told all the same.
  [
    { pet: { name: 'Fern' }, n: 1 },
    [`/pet fits two alternatives of \`oneOf\`: ${cats}`, '/n must be at least 3'],
  ],
  [
    { map: [{ k: 2.5 }], pet: { name: 'Fern', lives: 'x', depth: 1 } },
    ['/pet fits two alternatives of `oneOf`: #/components/schemas/Fish and #/components/schemas/Dog'],
  ],
])('%j', (value, messages) => {
  expect([...messagesOf(value)].sort()).toEqual([...messages].sort())
})

test('a value that fits none still says so', () => {
  expect(messagesOf({ map: [{ k: [] }] })).toContain('/map/0/k must fit exactly one alternative of `oneOf`')
})

test('inside an alternative it is told as well', () => {
  expect(messagesOf({ nested: { pet: { name: 'Fern' } } })).toContain(
    `/nested/pet fits two alternatives of \`oneOf\`: ${cats}`,
  )
})

test('of a response as of a request', () => {
  const judge = createResponseJudge(contract, operationOf(contract, 'a'))
  const response = {
    status: 200,
    headers: [['Content-Type', 'application/json']] as const,
    body: new TextEncoder().encode('{"pet":{"name":"Fern"}}'),
  }
  expect(judge(response as never, undefined)).toMatchObject([
    {
      title: `answered 200 with {"name":"Fern"} as \`pet\`, which fits two alternatives of \`oneOf\`: ${cats}`,
    },
  ])
})
