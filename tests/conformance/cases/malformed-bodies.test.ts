import { expect, test } from 'vitest'
import { malformedKinds, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../../spec/contracts.ts'
import { withoutCase } from './without-case.ts'

const some = { type: 'string' }
const ofMembers = ['missing-colon', 'bare-name', 'other-separator', 'missing-value']
const ofQuotes = ['single-quotes', 'other-quotes']
const onlyBrackets = [...ofMembers, ...ofQuotes, 'missing-comma', 'extra-comma', 'bare-text']
const onlyValues = [...onlyBrackets, 'trailing-comma', 'other-bracket']
const onlyTexts = onlyValues.filter(kind => !ofQuotes.includes(kind))

// Kinds of malformed JSON that the values of a schema cannot show, and so nobody has to reject.
test.each<readonly [object, readonly string[]]>([
  [{ type: 'object', properties: { text: some, n: { type: 'integer' } } }, []],
  [{ type: 'object' }, []],
  [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } }, []],
  [{ type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 }, []],
  [{ type: 'object', additionalProperties: false, patternProperties: { '^x-': some } }, []],
  [{ type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: some }, []],
  [{ type: 'object', additionalProperties: false }, onlyBrackets],
  [{ type: 'object', maxProperties: 0 }, onlyBrackets],
  [{ type: 'array', items: { type: 'integer' } }, [...ofMembers, ...ofQuotes]],
  [{ type: 'array', items: some }, ofMembers],
  [{ type: 'array', items: { type: 'object', required: ['a'], properties: { a: some } } }, []],
  [{ type: 'array', items: { type: 'object', properties: { 'a-b': { type: 'boolean' } } } }, []],
  [{ type: 'array', items: { type: 'array', items: some } }, ofMembers],
  [{ type: 'array' }, ['closed-nesting']],
  [{}, ['closed-nesting']],
  // A list is right for the whole, and for what its text may be it is not.
  [{ properties: { n: { type: 'integer' }, text: some } }, []],
  [{ properties: { n: { type: 'integer' } } }, ['closed-nesting']],
  [some, onlyTexts],
  [{ type: ['string', 'null'] }, onlyTexts],
  [{ enum: ['a', 'b'] }, onlyTexts],
  [{ type: 'integer' }, onlyValues],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 0.5, multipleOf: 0.25 }, onlyValues],
  [{ type: 'boolean' }, onlyValues],
  [{ oneOf: [{ type: 'integer' }, { type: 'object', required: ['a'], properties: { a: some } }] }, []],
])('each kind of malformed JSON that a body can show is sent: %j', async (schema, missing) => {
  const contract = await contractOfBody(schema)
  const kinds = obligationsOf(contract, 'declared').flatMap(({ subject }) =>
    subject.kind === 'malformed' ? [subject.name] : [],
  )
  expect(malformedKinds.flatMap(({ name }) => (kinds.includes(name) ? [] : [name])).toSorted()).toEqual(
    missing.toSorted(),
  )
  expect(withoutCase(contract, ({ kind }) => kind === 'malformed')).toEqual([])
})
