import { expect, test } from 'vitest'
import { isRefusal, isSuccess, loadContract, refusals, refusalWords, successWords } from '../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from './contracts.ts'

const plant = operationOf(contracts.plantStore, 'createPlant')

test.each([
  [plant, 'credentials', ['400']],
  [plant, 'body', ['400']],
  [operationOf(contracts.library, 'createLoan'), 'credentials', ['401', '4XX']],
  [operationOf(contracts.library, 'createLoan'), 'body', ['4XX']],
  [operationOf(contracts.library, 'getBook'), 'parameter', ['404']],
  [operationOf(contracts.library, 'sendFeedback'), 'media', ['415', 'default']],
  [operationOf(contracts.orders, 'placeOrder'), 'body', ['422', 'default']],
] as const)('%j refuses what is wrong with its %s by %j', (operation, cause, statuses) => {
  expect(refusals(operation, cause)).toEqual(statuses)
})

test.each([
  ['declared', 400, true],
  ['declared', 401, false],
  ['either', 400, true],
  ['either', 401, true],
  ['401', 401, true],
  ['401', 400, false],
  ['declared', 200, false],
  ['either', 500, false],
] as const)('with the policy %s a %d for missing credentials is right: %s', (policy, status, right) => {
  expect(isRefusal(plant, 'credentials', status, policy)).toBe(right)
})

test('a refusal of a body is a declared failure and nothing else', () => {
  expect([200, 400, 401, 404, 422, 500].filter(status => isRefusal(plant, 'body', status, '401'))).toEqual([
    400,
  ])
  const order = operationOf(contracts.orders, 'placeOrder')
  expect([400, 422, 500].filter(status => isRefusal(order, 'body', status, 'declared'))).toEqual([400, 422])
})

test('words say what would have been right', () => {
  expect(refusalWords(plant, 'body', 'declared')).toBe('400, a declared failure')
  expect(refusalWords(plant, 'credentials', 'either')).toBe('400 or 401, a declared failure')
  expect(refusalWords(plant, 'credentials', '401')).toBe('401, a declared failure')
  expect(successWords(plant)).toBe('200, a declared success')
})

test('where no answers are declared any success and any refusal will do', async () => {
  const { operations } = await loadContract({
    from: writeDocument('silent.json', documentWith({ '/a': { get: {} } })),
  })
  const [silent] = operations
  if (silent === undefined) throw new Error('no operation')
  expect([200, 302, 404, 500].map(status => isSuccess(silent, status))).toEqual([true, true, false, false])
  expect([200, 404, 500].map(status => isRefusal(silent, 'body', status, 'declared'))).toEqual([
    false,
    true,
    false,
  ])
  expect(successWords(silent)).toBe('a 2xx status')
  expect(refusalWords(silent, 'body', 'declared')).toBe('a 4xx status')
})
