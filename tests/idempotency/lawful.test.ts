import { expect, test } from 'vitest'
import { stateObligationsOf } from '../../spec/index.ts'
import { plantContract } from '../state/plants.ts'
import { startOrders, type Variant } from './order-server.ts'
import { orderContract, verdictsIn, verifyOrders } from './orders.ts'

const contract = await orderContract()

const lawful: readonly (readonly [name: string, variant: Variant])[] = [
  ['another body gets 422, and whoever comes at once waits', {}],
  ['another body gets 409', { reused: 409 }],
  ['another body gets 400', { reused: 400 }],
  ['whoever comes at once is refused', { atOnce: 'refused' }],
  ['ETags follow from versions', { tags: 'of the version' }],
  ['another operation refuses a used key', { sharesKeys: true }],
  ['each item comes once', { takesOnce: true }],
]

test.each(lawful)(
  '%s: a whole run with --strict has no alarm, by two seeds',
  { timeout: 60_000 },
  async (_, variant) => {
    const server = await startOrders(variant)
    try {
      for (const seed of [1, 2]) {
        const ledger = await verifyOrders(server, { contract, seed, only: [] })
        expect(ledger.findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
        expect(new Set(Object.values(verdictsIn(ledger)))).toEqual(new Set(['passed']))
        expect(ledger.end?.conclusion).toBe('conformant')
        expect(server.count()).toBe(0)
      }
    } finally {
      await server.close()
    }
  },
)

test('each request has a key of its own, also in another run of the same seed', {
  timeout: 60_000,
}, async () => {
  const server = await startOrders()
  try {
    const only = ['createOrder/request/**']
    await verifyOrders(server, { contract, only })
    const first = server.keys.length
    expect(first).toBeGreaterThan(20)
    await verifyOrders(server, { contract, only })
    expect(server.keys.length).toBeGreaterThan(first * 1.5)
    // What is sent again as its connection was lost may have the same.
    expect(new Set(server.keys).size).toBeGreaterThan(server.keys.length * 0.95)
  } finally {
    await server.close()
  }
})

test('where the document allows no star, requests have the ETag that was read, however they are framed', {
  timeout: 60_000,
}, async () => {
  const server = await startOrders()
  try {
    const starless = await orderContract([
      'name: If-Match\n          in: header\n          schema: { type: string }',
      'name: If-Match\n          in: header\n          required: true\n          schema: { type: string, minLength: 3 }',
    ])
    const only = ['valid', 'framing/**', 'header/If-Match/minLength'].map(
      name => `changeOrder/request/${name}`,
    )
    only.push('changeOrder/conditional/*')
    const ledger = await verifyOrders(server, { contract: starless, only })
    expect(ledger.findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
    expect(verdictsIn(ledger)).toMatchObject({
      'changeOrder/conditional/old': 'passed',
      'changeOrder/conditional/current': 'passed',
      'changeOrder/conditional/any': 'untested: the document does not allow `If-Match: *` for changeOrder',
    })
  } finally {
    await server.close()
  }
})

test('weak ETags are compared by If-None-Match alone', async () => {
  const server = await startOrders({ tags: 'weak' })
  try {
    const ledger = await verifyOrders(server, { contract })
    expect(ledger.findings).toEqual([])
    const { 'getOrder/conditional/same': same, 'replaceOrder/conditional/old': old } = verdictsIn(ledger)
    expect(same).toBe('passed')
    expect(old).toBe('untested: getOrder gives a weak ETag, which If-Match never takes (RFC 9110 13.1.1)')
  } finally {
    await server.close()
  }
})

test('a server without ETags is not judged by them', async () => {
  const server = await startOrders({ tags: 'none' })
  try {
    const ledger = await verifyOrders(server, {
      contract,
      only: ['getOrder/conditional/*', 'changeOrder/conditional/*'],
    })
    expect(ledger.findings).toEqual([])
    expect(verdictsIn(ledger)).toMatchObject({
      'getOrder/conditional/same': 'untested: getOrder gives no ETag',
      'changeOrder/conditional/old': 'untested: getOrder gives no ETag',
    })
  } finally {
    await server.close()
  }
})

test('the level follows from what the document declares', async () => {
  const levelsOf = async (
    ...edits: readonly (readonly [string, string])[]
  ): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      stateObligationsOf(await orderContract(...edits)).flatMap(({ id, family, level }) =>
        family === 'state' ? [] : [[id, level] as const],
      ),
    )
  expect(await levelsOf()).toMatchSnapshot()
  const noHeaders = [
    ['name: If-None-Match', 'name: X-One'],
    ['name: If-Match', 'name: X-Two'],
    ['"428"', '"429"'],
    ['"304"', '"205"'],
  ] as const
  // An ETag alone: HTTP asks for more than many servers do.
  const { 'getOrder/conditional/same': same, 'changeOrder/conditional/old': old } = await levelsOf(
    ...noHeaders,
  )
  expect([same, old]).toEqual(['SHOULD', 'MUST'])
  const none = await levelsOf(...noHeaders, ['ETag:', 'X-Tag:'])
  expect(none['getOrder/conditional/same']).toBeUndefined()
  expect(none['changeOrder/conditional/old']).toBe('SHOULD')
  const nothing = await levelsOf(
    ...noHeaders,
    ['ETag:', 'X-Tag:'],
    ['"412"', '"411"'],
    ['Idempotency-Key', 'X-Key'],
    ['Makes the request idempotent', 'For the log'],
  )
  expect(nothing).toEqual({})
})

test('a document that declares none of it has none of these requirements', async () => {
  const families = stateObligationsOf(await plantContract()).map(({ family }) => family)
  expect(new Set(families)).toEqual(new Set(['state']))
})
