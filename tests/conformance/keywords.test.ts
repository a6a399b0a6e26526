/**
 * Every keyword of JSON Schema that has a requirement is known everywhere: words say what breaks it, the generator breaks it alone, the
 * judges name it, the mock breaks it, and the suite finds that. A keyword that is new somewhere fails here until all of them know it.
 */
import { expect, test } from 'vitest'
import { createMutantRuns } from '../../cli/handlers/selftest/mutant-run.ts'
import { obligationsOf } from '../../spec/index.ts'
import { isAnnotation } from '../../spec/obligations/derive/annotations.ts'
import { keywords } from '../../spec/openapi/check/keywords.ts'
import { contractOfBody } from '../spec/contracts.ts'

/** A schema whose keyword can be broken alone. */
const examples: Readonly<Record<string, object>> = {
  additionalProperties: { type: 'object', properties: { a: {} }, additionalProperties: false },
  anyOf: { anyOf: [{ type: 'string', minLength: 3 }, { type: 'integer' }] },
  const: { const: 'red' },
  contains: { type: 'array', items: { type: 'integer' }, contains: { minimum: 10 } },
  dependentRequired: { type: 'object', dependentRequired: { a: ['b'] } },
  dependentSchemas: { type: 'object', dependentSchemas: { a: { properties: { b: { type: 'integer' } } } } },
  enum: { type: 'string', enum: ['red', 'blue'] },
  exclusiveMaximum: { type: 'integer', exclusiveMaximum: 10 },
  exclusiveMinimum: { type: 'integer', exclusiveMinimum: 10 },
  format: { type: 'string', format: 'date' },
  if: { type: 'integer', if: { minimum: 10 }, else: { multipleOf: 5 } },
  items: { type: 'array', prefixItems: [{ type: 'integer' }], items: false },
  maximum: { type: 'integer', maximum: 10 },
  maxItems: { type: 'array', items: { type: 'integer' }, maxItems: 2 },
  maxLength: { type: 'string', maxLength: 5 },
  maxProperties: { type: 'object', maxProperties: 2 },
  minimum: { type: 'integer', minimum: 10 },
  minItems: { type: 'array', items: { type: 'integer' }, minItems: 2 },
  minLength: { type: 'string', minLength: 5 },
  minProperties: { type: 'object', minProperties: 2 },
  multipleOf: { type: 'integer', multipleOf: 5 },
  not: { type: 'integer', not: { const: 5 } },
  oneOf: { oneOf: [{ type: 'string', minLength: 3 }, { type: 'integer' }] },
  pattern: { type: 'string', pattern: '^[a-f]+$' },
  propertyNames: { type: 'object', propertyNames: { pattern: '^[a-f]+$' } },
  required: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
  type: { type: 'integer' },
  unevaluatedItems: { type: 'array', prefixItems: [{ type: 'integer' }], unevaluatedItems: false },
  unevaluatedProperties: { type: 'object', properties: { a: {} }, unevaluatedProperties: false },
  uniqueItems: { type: 'array', items: { type: 'integer' }, uniqueItems: true },
}

/** Applied like a part of the schema: what they say of a value is said by the keywords inside. */
const applied = ['allOf', '$dynamicRef']

const required = [...keywords]
  .filter(([keyword, { kind }]) => kind !== 'annotation' && !applied.includes(keyword))
  .map(([keyword]) => keyword)
  .filter(keyword => !isAnnotation({ keyword, value: examples[keyword]?.[keyword as never], pointer: '' }))

test('every keyword with a requirement has an example', () => {
  expect(Object.keys(examples).sort()).toEqual(required.sort())
})

test.concurrent.each(required)('%s is named, generated, judged, broken and found', async keyword => {
  const schema = { type: 'object', required: ['v'], properties: { v: examples[keyword] } }
  const contract = await contractOfBody(schema)
  const obligations = obligationsOf(contract).filter(
    ({ subject }) =>
      subject.kind === 'keyword' && subject.keyword === keyword && subject.location.place === '/v',
  )
  expect(obligations.length).toBeGreaterThan(0)
  const runMutant = createMutantRuns(contract, { seed: 1, cases: 100, unauthenticated: 'declared' })
  for (const obligation of obligations.slice(0, 1)) {
    expect(obligation.requirement).not.toContain(`a value that breaks \`${keyword}\``)
    expect({ id: obligation.id, kill: await runMutant(obligation) }).toMatchObject({
      kill: { kind: 'found' },
    })
  }
})
