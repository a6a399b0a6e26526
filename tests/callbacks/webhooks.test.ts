/** Webhooks of a live server: they are as declared, whichever request they come after. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../conformance/index.ts'
import { callbackObligationsOf, type Ledger, loadContract } from '../../spec/index.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'
import { startOrders } from './webhook-server.ts'

const from = fileURLToPath(new URL('webhooks.openapi.yaml', import.meta.url))
const contract = await loadContract({ from })

const run = async (variant: string, options: Partial<VerifyOptions> = {}): Promise<Ledger> => {
  const { url, close } = await startOrders(variant)
  try {
    return await verify({
      ...{ target: url, contract, seed: 1, cases: 150, sustained: 0, strict: true },
      listen: { waitMs: 700 },
      ...options,
    })
  } finally {
    await close()
  }
}

const prefix = 'createHook/callback/'
const ofHooks = ({ entries }: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.flatMap(({ obligation: { id, family }, verdict }) =>
      family === 'callback' ? [[id.slice(prefix.length), verdict.kind] as const] : [],
    ),
  )
const failed = ({ findings }: Ledger): readonly string[] => findings.map(({ obligation }) => obligation)

const seeds = [1, 2] as const
const withSeeds = <T>(rows: readonly T[]): readonly (readonly [T, number])[] =>
  rows.flatMap(row => seeds.map(seed => [row, seed] as const))

// Six whole runs at once, beside other tests.
describe.concurrent('a server whose webhooks are as declared conforms', { timeout: 240_000 }, () => {
  test.each(withSeeds(['', 'late', 'also a ping']))('%s, seed %i', async (variant, seed) => {
    const ledger = await run(variant, { seed, cases: 2000 })
    expect(failed(ledger)).toEqual([])
    expect(ofHooks(ledger)).toEqual({
      'order.created/sent': 'observed',
      'order.created/request': 'passed',
      'order.created/credentials': 'passed',
      'order.removed/sent': 'observed',
      'order.removed/request': 'passed',
      'order.removed/credentials': 'passed',
    })
    expect(ledger.end?.conclusion).toBe('conformant')
    expect(ledger.start.contract.notTested).toBeUndefined()
  })
})

describe.concurrent('a fault of a webhook is found, and nothing else', () => {
  test.each(
    withSeeds([
      ['a total as text', ['order.created/request']],
      ['no order', ['order.created/request']],
      ['a list', ['order.created/request']],
      ['an id as text', ['order.removed/request']],
      ['no delivery id', ['order.created/request']],
      ['a delivery id that is none', ['order.created/request']],
      ['another method', ['order.created/request', 'order.removed/request']],
      ['another media type', ['order.created/request', 'order.removed/request']],
      ['another path', ['order.created/request', 'order.removed/request']],
      ['no signature', ['order.created/credentials', 'order.removed/credentials']],
    ] as const),
  )('%j, seed %i', async ([variant, names], seed) => {
    const ledger = await run(variant, { seed })
    const found = new Set(ledger.findings.flatMap(({ obligation, also }) => [obligation, ...also]))
    expect([...found].sort()).toEqual(names.map(name => `${prefix}${name}`))
    expect(ledger.end?.conclusion).toBe(names.length > 0 ? 'nonconformant' : 'conformant')
  })
})

test('a finding names the request that it came after, and what is wrong', async () => {
  const { findings } = await run('a total as text')
  expect(findings[0]?.title).toMatch(/^sent a webhook order\.created that is not as declared: .*total/)
  expect(findings[0]?.actual).toMatch(/^after createOrder: POST .*"total":"7"/)
})

test('what does not come is told, and convicts nobody', async () => {
  const ledger = await run('nothing')
  expect(failed(ledger)).toEqual([])
  expect(ofHooks(ledger)['order.created/request']).toBe('untested')
  const sent = ledger.entries.find(({ obligation: { id } }) => id === `${prefix}order.created/sent`)
  expect(JSON.stringify(sent?.verdict)).toMatch(/did not come after \d+ requests that change something/)
})

test('a run of the webhooks alone hears them as well, and leaves nothing behind', async () => {
  const ledger = await run('a total as text', { only: [`${prefix}order.created/request`] })
  expect(failed(ledger)).toEqual([`${prefix}order.created/request`])
  expect(ledger.notes.filter(({ message }) => message.includes('could not all be removed'))).toEqual([])
})

test('what is created is removed', async () => {
  const ledger = await run('')
  expect(ledger.notes.filter(({ message }) => message.includes('could not all be removed'))).toEqual([])
})

const text = { type: 'string' }
const responses = { 204: { description: 'taken' } }
const webhooks = { made: { post: { requestBody: bodyOf({}), responses } } }
test.each([
  ['/hooks', { url: text }, true],
  ['/hooks', { target_url: text }, true],
  ['/repos/hooks', { config: { type: 'object', properties: { url: text } } }, true],
  ['/v1/webhook-subscriptions', { endpoint: text }, true],
  ['/settings', { webhookUrl: text }, true],
  ['/settings', { notification_url: text }, true],
  ['/settings', { url: text }, false],
  ['/users', { avatarUrl: text }, false],
  ['/hooks', { name: text }, false],
  ['/hooks', { url: { type: 'integer' } }, false],
] as const)('POST %s %j takes a URL for webhooks: %s', async (path, properties, expected) => {
  const post = { operationId: 'create', requestBody: bodyOf({ type: 'object', properties }), responses }
  const document = documentWith({ [path]: { post } }, { openapi: '3.1.0', webhooks })
  const of = await loadContract({ from: writeDocument('hooks.json', document) })
  expect(callbackObligationsOf(of).length > 0).toBe(expected)
})
