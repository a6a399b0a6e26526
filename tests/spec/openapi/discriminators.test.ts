import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

/** Whether each value is valid in a request whose body has the schema `Pet`. */
const judged = async (schemas: object, values: readonly object[]): Promise<readonly boolean[]> => {
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } }
  const document = documentWith(
    { '/pets': { post: { requestBody: body, responses: { 200: { description: 'ok' } } } } },
    { components: { schemas } },
  )
  const { requests } = await loadContract({ from: writeDocument('pets.json', document) })
  const validate = requests.schemas.validator('/components/schemas/Pet')
  return values.map(value => validate(value as never).length === 0)
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const kind = { kind: { type: 'string' } }
const Cat = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { ...kind, lives: { type: 'integer' } },
}
const Dog = { type: 'object', required: ['kind'], properties: { ...kind, bark: { type: 'string' } } }

test('the value of a discriminator selects an alternative, by its mapping or by the name of the schema', async () => {
  const Pet = {
    type: 'object',
    required: ['kind'],
    properties: kind,
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  }
  const values = [
    { kind: 'cat', lives: 9 },
    { kind: 'Dog', lives: 9 },
    { kind: 'cat' },
    { kind: 'Cat', lives: 9 },
    { kind: 'mouse' },
    {},
  ]
  expect(await judged({ Pet, Cat, Dog }, values)).toEqual([true, true, false, false, false, false])
})

test('an alternative that lists its values itself is left as it is', async () => {
  const listed = { ...Dog, properties: { kind: { enum: ['hound', 'terrier'] } } }
  const Pet = { oneOf: [ref('Dog')], discriminator: { propertyName: 'kind' } }
  expect(
    await judged({ Pet, Dog: listed }, [{ kind: 'hound' }, { kind: 'terrier' }, { kind: 'Dog' }]),
  ).toEqual([true, true, false])
})

test('schemas that extend a base have their names, and those that extend them', async () => {
  const Pet = {
    type: 'object',
    required: ['kind'],
    properties: kind,
    discriminator: { propertyName: 'kind' },
  }
  const Hunter = { allOf: [ref('Pet'), { required: ['skill'], properties: { skill: { type: 'string' } } }] }
  const Lion = { allOf: [ref('Hunter'), { properties: { size: { type: 'integer' } } }], required: ['size'] }
  const values = [
    { kind: 'Hunter', skill: 'bow' },
    { kind: 'Hunter' },
    { kind: 'Lion', skill: 'claws', size: 2 },
    { kind: 'Lion', skill: 'claws' },
    { kind: 'Lion', size: 2 },
    { kind: 'Mouse' },
  ]
  expect(await judged({ Pet, Hunter, Lion }, values)).toEqual([true, false, true, false, false, false])
})

test('a base that lists values nobody maps is left as it is', async () => {
  const Pet = {
    type: 'object',
    properties: { kind: { enum: ['h'] } },
    discriminator: { propertyName: 'kind' },
  }
  const Hunter = { allOf: [ref('Pet'), { required: ['skill'] }] }
  expect(await judged({ Pet, Hunter }, [{ kind: 'h' }, { kind: 'Hunter' }])).toEqual([true, false])
})

test('a schema that extends a base and lists what extends it is no kind of its own', async () => {
  const Pet = {
    type: 'object',
    required: ['kind'],
    properties: kind,
    discriminator: { propertyName: 'kind' },
  }
  const Hunter = { allOf: [ref('Pet'), { required: ['skill'] }] }
  const Any = { allOf: [ref('Pet')], oneOf: [ref('Hunter')], discriminator: { propertyName: 'kind' } }
  const values = [{ kind: 'Hunter', skill: 1 }, { kind: 'Hunter' }, { kind: 'Any' }]
  expect(await judged({ Pet, Hunter, Any }, values)).toEqual([true, false, true])
})
