/** A request that tests one place has little besides: a server may reject what else is in it for a rule of its own. */
import { expect, test } from 'vitest'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { strategyOf } from '../../../conformance/cases/strategies/index.ts'
import { isObject, loadContract, type Operation, obligationsOf } from '../../../spec/index.ts'

test('with an optional property that breaks its pattern comes nothing but what is required', async () => {
  const contract = await loadContract({ from: 'tests/documents/frameworks/flask-smorest.json' })
  const operation = contract.operations.find(({ id }) => id === 'post-stays') as Operation
  const model = createOperationModel(contract, operation)
  const context = {
    ...{ model, identities: null, seed: 1, values: createRandomValues(model, 1) },
    ...{ isTokenKnown: true, isForwarded: false },
  }
  const obligation = obligationsOf(contract).find(
    ({ id }) => id === 'post-stays/request/body/owner/phone/pattern',
  )
  const strategy = obligation === undefined ? null : strategyOf(context, obligation)
  if (strategy === null || 'unsupported' in strategy) throw new Error('it has no strategy')
  for (let number = 0; number < 40; number++) {
    const body = strategy.make(number % 4, number)?.body ?? null
    const owner = isObject(body) ? (body.owner ?? null) : null
    expect(Object.keys(isObject(body) ? body : {}).toSorted()).toEqual(['dog_id', 'owner', 'since'])
    expect(Object.keys(isObject(owner) ? owner : {}).toSorted()).toEqual(['email', 'phone'])
  }
})
