import { expect, test } from 'vitest'
import { repairedAt } from '../../../mock/values/repaired.ts'
import { type Json, valueAt } from '../../../spec/index.ts'
import { contractOfBody } from '../../spec/contracts.ts'

const schema = {
  type: 'object',
  required: ['name', 'list'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    list: {
      type: 'array',
      items: { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 1 } } },
    },
    note: { type: 'string', maxLength: 5 },
  },
}
const contract = await contractOfBody(schema)
const validate = contract.responses.schemas.validator(
  contract.operations[0]?.responses[0]?.media[0]?.schema ?? '',
)

const right: Json = { name: 'Fern', list: [{ size: 7 }, { size: 8 }, { size: 9 }], note: 'a' }
const fromRight = (at: string): Json | undefined => valueAt(right, at) as Json | undefined

test.each([
  ['a value that is right', right, right],
  [
    'a wrong item',
    { ...right, list: [{ size: 7 }, { size: 'x' }, { size: 1 }] },
    { ...right, list: [{ size: 7 }, { size: 8 }, { size: 1 }] },
  ],
  ['a missing property', { list: [], note: 'b' }, { list: [], note: 'b', name: 'Fern' }],
  ['one too many', { name: 'Ivy', list: [], more: 1 }, { name: 'Ivy', list: [] }],
  ['one that nothing can take the place of', { name: 'Ivy', list: [{}, {}, {}, { size: 0 }] }, undefined],
  ['another type', 'x', undefined],
])('%s', async (_name, value, repaired) => {
  expect(await repairedAt(value, validate, fromRight)).toEqual(repaired)
})

test('an optional value that has no other goes', async () => {
  expect(
    await repairedAt({ ...right, note: 'too long' }, validate, at => (at === '/note' ? undefined : null)),
  ).toEqual({
    name: 'Fern',
    list: [{ size: 7 }, { size: 8 }, { size: 9 }],
  })
})
