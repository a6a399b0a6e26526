/** Keys that no request had, and ETags where a request needs one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { plainSpecs } from '../../../conformance/cases/strategies/index.ts'
import { createGivenHeaders, type GivenHeaders } from '../../../conformance/send/given-headers.ts'
import { loadContract, scalarText } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'

const headersFor = async (
  schema: object,
  salt = 1,
): Promise<{ headers: GivenHeaders; key: () => string; isValid: (key: string) => boolean }> => {
  const contract = await loadContract({
    from: writeDocument(
      'keys.json',
      documentWith({
        '/a': {
          post: {
            operationId: 'createA',
            parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema }],
            responses: { 201: { description: 'a' }, 400: { description: 'no' } },
          },
        },
      }),
    ),
  })
  const model = createOperationModel(contract, operationOf(contract, 'createA'))
  const values = createRandomValues(model, 1)
  const headers = createGivenHeaders({ model, salt, values, tagOf: async () => null })
  const context = { model, identities: null, seed: 1, values, isTokenKnown: false, isForwarded: false }
  const plain = plainSpecs(context)(1)
  return {
    headers,
    key: () => scalarText(headers.withNewKey(plain)?.parameters['Idempotency-Key'] ?? ''),
    isValid: key => model.parameters[0]?.isValid(key) === true,
  }
}

test.each([
  { type: 'string' },
  { type: 'string', format: 'uuid' },
  { type: 'string', pattern: '^"[^"]+"$' },
  { type: 'string', pattern: '^[0-9a-f]{32}$' },
  { type: 'string', maxLength: 20 },
  { type: 'string', pattern: '^order-[a-z]{12}$' },
])('keys of %j are valid, and each is another one', async schema => {
  const { key, isValid } = await headersFor(schema)
  const keys = Array.from({ length: 100 }, key)
  expect(keys.filter(each => !isValid(each))).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})

test('another run has other keys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.integer({ min: 0 }), async (one, other) => {
      fc.pre(one !== other)
      const [left, right] = await Promise.all([one, other].map(salt => headersFor({ type: 'string' }, salt)))
      expect(left?.key()).not.toBe(right?.key())
    }),
    { numRuns: 20 },
  )
})
