/** Names that nothing has: valid where they stand, each given out once, and the same for the same seed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOperationModel, type OperationModel } from '../../../conformance/cases/operation-model.ts'
import { createFreshNames, nobodysName } from '../../../conformance/state/fresh-names.ts'
import { type Json, loadContract, type Operation, writeJson } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const modelOf = async (schema: object, shown: object = {}): Promise<OperationModel> => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema, ...shown }]
  const get = { operationId: 'getThing', parameters, responses: { 200: { description: 'ok' } } }
  const contract = await loadContract({
    from: writeDocument('things.json', documentWith({ '/things/{id}': { get } })),
  })
  return createOperationModel(contract, contract.operations[0] as Operation)
}

const text = { type: 'string' }
const digits = /^"?\d+"?$/
const uuid = /^"[\da-f]{8}-0000-4000-9000-[\da-f]{12}"$/
const letters = /^"[a-z\d]+"$/

describe.each<[string, object, object, RegExp]>([
  ['a text', text, {}, letters],
  ['a UUID', { ...text, format: 'uuid' }, {}, uuid],
  ['a text that is shown as a UUID', text, { example: '12fb14bb-600e-4bfa-bd8d-be7f12562c99' }, uuid],
  ['a text that is shown as digits', text, { example: '4711' }, digits],
  ['a number', { type: 'integer' }, {}, digits],
  ['a number from 1', { type: 'integer', minimum: 1 }, {}, digits],
  ['a text with a pattern', { ...text, pattern: '^[A-Z]{3}-[0-9]{6}$' }, {}, /^"[A-Z]{3}-\d{6}"$/],
  ['a short text', { ...text, minLength: 6, maxLength: 8 }, {}, /^".{6,12}"$/],
])('for %s', (_name, schema, shown, form) => {
  test('a name is valid, of the usual form, and given out once', async () => {
    const model = await modelOf(schema, shown)
    const [parameter] = model.parameters
    fc.assert(
      fc.property(fc.nat(2 ** 31), seed => {
        const names = createFreshNames(seed)
        const some = Array.from({ length: 30 }, () => names(model, 'id'))
        for (const name of some) {
          expect(parameter?.isValid(name as Json)).toBe(true)
          expect(writeJson(name as Json)).toMatch(form)
        }
        expect(new Set(some.map(name => writeJson(name as Json))).size).toBe(30)
        const again = createFreshNames(seed)
        expect(Array.from({ length: 30 }, () => again(model, 'id'))).toEqual(some)
      }),
      { seed: 1, numRuns: 20 },
    )
  })
})

test('the names of another seed are others', async () => {
  const model = await modelOf(text)
  const of = (seed: number): readonly (Json | undefined)[] => {
    const names = createFreshNames(seed)
    return Array.from({ length: 50 }, () => names(model, 'id'))
  }
  expect(of(1).filter(name => of(2).includes(name))).toEqual([])
})

test('a parameter that allows only a few numbers has none', async () => {
  const few = await modelOf({ type: 'integer', minimum: 1, maximum: 10 })
  expect(createFreshNames(1)(few, 'id')).toBeUndefined()
})

test('what no parameter is called has a name all the same', async () => {
  const names = createFreshNames(1)
  const model = await modelOf(text)
  expect(names(model, 'other')).toMatch(/^plantstore[a-z\d]+$/)
  expect(names(model, 'other')).not.toBe(names(model, 'other'))
})

test.each([
  [text, 'nobody7q9z'],
  [{ ...text, format: 'uuid' }, undefined],
  [{ type: 'integer' }, undefined],
  [{ ...text, maxLength: 4 }, undefined],
])('nobody has in place of %j the name %s', async (schema, name) => {
  const model = await modelOf(schema)
  expect(nobodysName(model, 'id')).toBe(name)
  expect(nobodysName(model, 'other')).toBeUndefined()
})
