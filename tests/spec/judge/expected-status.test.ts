import { expect, test } from 'vitest'
import {
  isRejection,
  isSuccess,
  loadContract,
  rejectionStatuses,
  rejectionText,
  successText,
} from '../../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from '../contracts.ts'

const plant = operationOf(contracts.plantStore, 'createPlant')

test.each([
  [plant, 'credentials', ['400']],
  [plant, 'body', ['400']],
  [operationOf(contracts.library, 'createLoan'), 'credentials', ['401', '4XX']],
  [operationOf(contracts.library, 'createLoan'), 'body', ['4XX']],
  [operationOf(contracts.library, 'getBook'), 'parameter', ['404']],
  [operationOf(contracts.library, 'sendFeedback'), 'media', ['415', 'default']],
  [operationOf(contracts.orders, 'placeOrder'), 'body', ['422', 'default']],
] as const)('%j rejects an invalid %s with %j', (operation, cause, statuses) => {
  expect(rejectionStatuses(operation, cause)).toEqual(statuses)
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
] as const)('with the policy %s, a %d for missing credentials is right: %s', (policy, status, right) => {
  expect(isRejection(plant, 'credentials', status, policy)).toBe(right)
})

test('the rejection of a body is a declared failure and nothing else', () => {
  expect([200, 400, 401, 404, 422, 500].filter(status => isRejection(plant, 'body', status, '401'))).toEqual([
    400,
  ])
  const order = operationOf(contracts.orders, 'placeOrder')
  expect([400, 422, 500].filter(status => isRejection(order, 'body', status, 'declared'))).toEqual([400, 422])
})

test('texts name the expected statuses', () => {
  expect(rejectionText(plant, ['body'], 'declared')).toBe('400, a declared failure')
  expect(rejectionText(plant, ['credentials'], 'either')).toBe('400 or 401, a declared failure')
  expect(rejectionText(plant, ['credentials'], '401')).toBe('401, a declared failure')
  expect(successText(plant)).toBe('200, a declared success')
})

test.each([
  ['credentials', [201, 422], []],
  ['credentials', [201, 415, 418], []],
  ['body', [201, 415], []],
  ['parameter', [200, 413, 415], []],
  ['body', [201, 440], ['440']],
  ['media', [201, 415], ['415']],
] as const)(
  'a failure about something else does not answer an invalid %s: of %j, %j does',
  async (cause, declared, fitting) => {
    const responses = Object.fromEntries(declared.map(status => [status, { description: '' }]))
    const from = writeDocument('declared.json', documentWith({ '/a': { get: { responses } } }))
    const [operation] = (await loadContract({ from })).operations
    expect(operation && rejectionStatuses(operation, cause)).toEqual(fitting)
  },
)

test('without declared responses, any success and any rejection is expected', async () => {
  const { operations } = await loadContract({
    from: writeDocument('silent.json', documentWith({ '/a': { get: {} } })),
  })
  const [silent] = operations
  if (silent === undefined) throw new Error('no operation')
  expect([200, 302, 404, 500].map(status => isSuccess(silent, status))).toEqual([true, true, false, false])
  expect([200, 404, 500].map(status => isRejection(silent, 'body', status, 'declared'))).toEqual([
    false,
    true,
    false,
  ])
  expect(successText(silent)).toBe('a 2xx status')
  expect(rejectionText(silent, ['body'], 'declared')).toBe('a 4xx status')
})

test.each([
  ['/things', true],
  ['/things/{id}/parts', false],
])(
  'a declared 404 of %s is the rejection of a body that speaks of what does not exist: %s',
  async (path, isRight) => {
    const said = { description: 'said' }
    const schema = { type: 'object' }
    const parameters = path.includes('{')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
      : []
    const post = {
      parameters,
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 200: said, 400: said, 404: said },
    }
    const { operations } = await loadContract({
      from: writeDocument('declared.json', documentWith({ [path]: { post } })),
    })
    const [operation] = operations
    expect(operation !== undefined && isRejection(operation, 'body', 404, '401')).toBe(isRight)
    expect(operation !== undefined && isRejection(operation, 'body', 403, '401')).toBe(false)
  },
)
