/** A server knows the keys of a run, and the run its ETags: what is sent again needs new ones. */
import { expect, test } from 'vitest'
import { replay } from '../../conformance/index.ts'
import { type OrderServer, startOrders, type Variant } from './order-server.ts'
import { orderContract, verifyOrders } from './orders.ts'

const contract = await orderContract()

const withServer = async <T>(variant: Variant, work: (server: OrderServer) => Promise<T>): Promise<T> => {
  const server = await startOrders(variant)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

test.each([
  ['another body is created as well', 'createOrder/idempotency/other-body'],
  ['keys are stored late', 'createOrder/idempotency/at-once'],
  ['PUT ignores If-Match', 'replaceOrder/conditional/old'],
  ['428 and done', 'replaceOrder/conditional/absent'],
])('%s: replay shows it on this server, each time, and not on a right one', async (fault, obligation) => {
  await withServer({ fault }, async broken => {
    const ledger = await verifyOrders(broken, { contract, only: [obligation] })
    const [finding] = ledger.findings
    const again = async (target: string, seed: number): Promise<readonly string[]> =>
      (
        await replay({ contract, ledger, id: finding?.id ?? '', target: new URL(target), token: null, seed })
      ).violations.map(({ id }) => id)
    for (const seed of [5, 6]) expect(await again(broken.url, seed)).toEqual([obligation])
    await withServer({}, async right => {
      for (const seed of [5, 6]) expect(await again(right.url, seed)).toEqual([])
    })
  })
})

test('a creation that is sent again has another key than the run, so that it is done', async () => {
  await withServer({}, async server => {
    const ledger = await verifyOrders(server, { contract, only: ['createOrder/request/valid'], cases: 20 })
    const exchange = ledger.exchanges.find(
      each => each.outcome.kind === 'response' && each.outcome.status === 201,
    )
    expect(server.count()).toBe(0)
    for (const seed of [5, 6]) {
      const { violations } = await replay({
        ...{ contract, ledger, id: exchange?.id ?? '', target: new URL(server.url), token: null, seed },
      })
      expect(violations).toEqual([])
    }
    expect(server.count()).toBe(2)
  })
})
