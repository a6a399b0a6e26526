/** A discriminator at a base is read as `if` and `then`, which the document does not have: the reasons are what was broken. */
import { expect, test } from 'vitest'
import { createResponseJudge } from '../../../spec/index.ts'
import { contractOfBody } from '../contracts.ts'
import { json, judge } from '../requests.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const kind = (property: string, type: string) => ({
  allOf: [ref('Animal'), { type: 'object', required: [property], properties: { [property]: { type } } }],
})
const mapping = { dog: ref('Dog').$ref, cat: ref('Cat').$ref }
const schemas = {
  Animal: {
    type: 'object',
    required: ['petType'],
    discriminator: { propertyName: 'petType', mapping },
    properties: { petType: { type: 'string' } },
  },
  Dog: kind('bark', 'boolean'),
  Cat: kind('meow', 'integer'),
}

test.each([
  ['Animal', { petType: 'cat', meow: 'x' }, ['/meow must be an integer']],
  ['Animal', { petType: 'cat' }, ['/meow is missing']],
  ['Animal', { petType: 'dog', bark: 1 }, ['/bark must be a boolean']],
  ['Dog', { petType: 'dog' }, ['/bark is missing']],
  ['Animal', { petType: 'cat', meow: 1 }, []],
])('%s: %j', async (name, value, messages) => {
  const contract = await contractOfBody(ref(name), { components: { schemas } })
  const body = JSON.stringify(value)
  const { violations } = judge(contract, { method: 'POST', target: '/a', headers: json, body })
  expect(violations.map(({ message }) => message)).toEqual(messages)
  const [operation] = contract.operations
  if (operation === undefined) throw new Error('no operation')
  const found = createResponseJudge(contract, operation)(
    { status: 200, headers: Object.entries(json), body: new TextEncoder().encode(body) },
    undefined,
  )
  expect(found.map(({ expected }) => expected)).toEqual(messages)
  for (const { title } of found) expect(title).not.toContain('`if`')
})

test('a reason for `if` of the document is what `then` asks for, too', async () => {
  const schema = {
    type: 'object',
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['b'] },
  }
  const contract = await contractOfBody(schema)
  const { violations } = judge(contract, { method: 'POST', target: '/a', headers: json, body: '{"a":1}' })
  expect(violations).toMatchObject([{ id: 'a/request/body/if', message: '/b is missing' }])
})

test('a union that asks for other values than the base of its alternatives is told', async () => {
  const union = { oneOf: [ref('Dog'), ref('Cat')], discriminator: { propertyName: 'petType' } }
  const contract = await contractOfBody(union, { components: { schemas } })
  expect(contract.warnings[0]?.message).toBe(
    'no value fits Dog: here its petType must be Dog, and by the discriminator of Animal it must be dog; give both the same mapping',
  )
  const same = { ...union, discriminator: { ...union.discriminator, mapping } }
  expect((await contractOfBody(same, { components: { schemas } })).warnings).toEqual([])
})

const parts = {
  type: 'object',
  properties: {
    other: { type: 'object', properties: { kind: { type: 'string' } } },
    size: { type: 'integer' },
  },
  if: { required: ['size'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { size: { minimum: 5 }, note: { type: 'string' } } },
  else: { required: ['note'] },
}

test.each([
  // The reason is of what the condition is about, and not of another place that is wrong as well.
  [{ size: 3 }, ['/size must be at least 5']],
  [{ size: 3, note: 7 }, ['/size must be at least 5; /note must be a string']],
  [{}, ['/note is missing']],
  [{ note: 'a', other: { kind: 1 } }, ['/other/kind must be a string']],
  [{ size: 7, note: 'a' }, []],
])('a condition of the document: %j', async (value, messages) => {
  const contract = await contractOfBody(parts)
  const { violations } = judge(contract, {
    ...{ method: 'POST', target: '/a', headers: json },
    body: JSON.stringify(value),
  })
  expect(violations.map(({ message }) => message)).toEqual(messages)
})

test('two conditions have each the reasons at their own places', async () => {
  const contract = await contractOfBody({ type: 'object', properties: { a: parts, ab: parts } })
  const body = JSON.stringify({ a: { size: 3 }, ab: {} })
  const { violations } = judge(contract, { method: 'POST', target: '/a', headers: json, body })
  expect(violations.map(({ id, message }) => `${id}: ${message}`)).toEqual([
    'a/request/body/a/if: /a/size must be at least 5',
    'a/request/body/ab/if: /ab/note is missing',
  ])
})
