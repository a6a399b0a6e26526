import { expect, test } from 'vitest'
import { createPlanCache } from '../../conformance/index.ts'
import { failedIn } from '../state/plants.ts'
import { startOrders } from './order-server.ts'
import { orderContract, verifyOrders } from './orders.ts'

const [once, answer, otherBody, otherOperation, atOnce] = [
  'createOrder/idempotency/once',
  'createOrder/idempotency/answer',
  'createOrder/idempotency/other-body',
  'createOrder/idempotency/other-operation',
  'createOrder/idempotency/at-once',
]

/** What each fault breaks, and what the finding of the first one says. */
const faults: readonly (readonly [fault: string, failed: readonly string[], title: string])[] = [
  [
    'keys are ignored',
    [once, otherBody, atOnce],
    'created a second order for the same request with the same key',
  ],
  [
    'keys are stored and not looked up',
    [once, otherBody, atOnce],
    'created a second order for the same request with the same key',
  ],
  [
    'keys are stored late',
    [atOnce],
    'created a second order for two requests at the same time with the same key',
  ],
  [
    'the second at once crashes',
    [atOnce],
    'answered 500 to one of two requests at the same time with the same key',
  ],
  [
    'the repetition creates another in silence',
    [once, atOnce],
    'created a second order for the same request with the same key, which listOrders shows',
  ],
  [
    'the repetition gets 409',
    [answer],
    'answered 409 to the repeated request with the same key, and 201 to the first',
  ],
  [
    'the repetition gets 200',
    [answer],
    'answered 200 to the repeated request with the same key, and 201 to the first',
  ],
  [
    'the repetition gets other values',
    [answer],
    'answered the repeated request with the same key with another `item`',
  ],
  [
    'keys stand for any operation',
    [otherBody, otherOperation],
    'answered 201 to another body with a key that was taken',
  ],
  [
    'another body gets the first answer',
    [otherBody],
    'answered 201 to another body with a key that was taken',
  ],
  [
    'another body is created as well',
    [otherBody],
    'created a second order for a key that another body had taken',
  ],
  [
    'another body is refused and created',
    [otherBody],
    'created a second order for a key that another body had taken, which listOrders shows',
  ],
  ['another body crashes', [otherBody], 'answered 500 to another body with a key that was taken'],
  [
    'If-None-Match is ignored',
    ['getOrder/conditional/same'],
    'answered 200 to If-None-Match with the current ETag',
  ],
  [
    '304 for any If-None-Match',
    ['getOrder/conditional/other'],
    'answered 304 to If-None-Match with an unknown ETag',
  ],
  [
    'the ETag never changes',
    ['replaceOrder/conditional/old', 'removeOrder/conditional/old', 'changeOrder/conditional/old'],
    'getOrder gave the same ETag before and after a change of the order',
  ],
  ['PUT ignores If-Match', ['replaceOrder/conditional/old'], 'answered 200 to If-Match with an old ETag'],
  [
    'PUT refuses and is done',
    ['replaceOrder/conditional/old'],
    'refused If-Match with an old ETag (412), and did what was asked all the same',
  ],
  ['PATCH ignores If-Match', ['changeOrder/conditional/old'], 'answered 200 to If-Match with an old ETag'],
  ['DELETE ignores If-Match', ['removeOrder/conditional/old'], 'answered 204 to If-Match with an old ETag'],
  [
    'DELETE refuses and is done',
    ['removeOrder/conditional/old'],
    'refused If-Match with an old ETag (412), and did what was asked all the same',
  ],
  [
    'the star is taken for an ETag',
    ['replaceOrder/conditional/any', 'removeOrder/conditional/any', 'changeOrder/conditional/any'],
    'answered 412 to `If-Match: *`',
  ],
  [
    'the current ETag is refused',
    [
      'replaceOrder/conditional/current',
      'removeOrder/conditional/current',
      'changeOrder/conditional/current',
    ],
    'answered 412 to If-Match with the current ETag',
  ],
  ['428 is never sent', ['replaceOrder/conditional/absent'], 'answered 200 to a request without If-Match'],
  [
    '428 and done',
    ['replaceOrder/conditional/absent'],
    'refused a request without If-Match (428), and did what was asked all the same',
  ],
]

const contract = await orderContract()
/** The keys of notes are wrong in the same way. */
const only = ['createOrder/idempotency/*', '*/conditional/*']
const planCaches = new Map([1, 2].map(seed => [seed, createPlanCache()]))

test.concurrent.each(faults)('%s, by two seeds', { timeout: 60_000 }, async (fault, failed, title) => {
  const server = await startOrders({ fault })
  try {
    for (const [seed, planCache] of planCaches) {
      const ledger = await verifyOrders(server, { contract, seed, planCache, only })
      expect(failedIn(ledger).toSorted()).toEqual(failed.toSorted())
      const [first] = ledger.findings.filter(({ obligation }) => obligation === failed[0])
      expect(first?.title).toBe(title)
      expect(ledger.end?.conclusion).toBe('nonconformant')
    }
  } finally {
    await server.close()
  }
})
