/** `nullable` beside what rules null out: told, and held against nobody. */
import { expect, test } from 'vitest'
import { obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../contracts.ts'
import { judge } from '../requests.ts'

const User = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const reference = { $ref: '#/components/schemas/User' }

const contractOf = (value: object) =>
  contractOfBody(
    { type: 'object', required: ['a'], properties: { a: value } },
    { openapi: '3.0.3', components: { schemas: { User } } },
  )

test.each([
  [{ type: 'string', nullable: true, enum: ['a', 'b'] }, 'enum'],
  [{ nullable: true, enum: ['a', 'b'] }, 'enum'],
  [{ nullable: true, allOf: [reference] }, 'allOf'],
  [{ nullable: true, type: 'object', allOf: [reference] }, 'allOf'],
  [{ nullable: true, oneOf: [reference, { type: 'string' }] }, 'oneOf'],
  [{ nullable: true, anyOf: [reference] }, 'anyOf'],
  [{ nullable: true, allOf: [{ allOf: [reference] }] }, 'allOf'],
])('%j', async (value, keyword) => {
  const contract = await contractOf(value)
  expect([...new Set(contract.warnings.map(({ message }) => message))]).toEqual([
    expect.stringContaining(`nullable is contradicted by ${keyword}`),
  ])
  expect(contract.warnings[0]?.place?.line).toBeGreaterThan(0)
  // Neither rejected …
  const json = { 'Content-Type': 'application/json' }
  const sent = { method: 'POST', target: '/a', headers: json }
  expect(judge(contract, { ...sent, body: '{"a":null}' }).violations).toEqual([])
  expect(judge(contract, { ...sent, body: '{"a":true}' }).violations.length).toBeGreaterThan(0)
  // … nor demanded.
  const ids = obligationsOf(contract).map(({ id }) => id)
  expect(ids.filter(id => /\/a\/(type\/)?null$/.test(id))).toEqual([])
  const [declared] = contract.operations[0]?.responses ?? []
  const validate = contract.responses.schemas.validator(declared?.media[0]?.schema ?? '')
  expect(validate({ a: null })).toEqual([])
  expect(validate({ a: true }).length).toBeGreaterThan(0)
})

test.each([
  { type: 'string', nullable: true },
  { type: 'string', nullable: true, enum: ['a', null] },
  { nullable: true, oneOf: [{ type: 'object', nullable: true }, { type: 'string' }] },
  { nullable: true, allOf: [{ type: 'object', nullable: true }] },
  { nullable: true, allOf: [{ description: 'any' }] },
  { nullable: false, allOf: [reference] },
])('there is nothing to tell of %j', async value => {
  expect((await contractOf(value)).warnings).toEqual([])
})
