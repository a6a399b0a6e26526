/** Callbacks of a live server: they come, as declared, as often as they are due. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../conformance/index.ts'
import { type Ledger, loadContract } from '../../spec/index.ts'
import { startSubscriptions, token } from './subscription-server.ts'

const from = fileURLToPath(new URL('subscriptions.openapi.yaml', import.meta.url))
const contract = await loadContract({ from })

const run = async (variant: string, options: Partial<VerifyOptions> = {}): Promise<Ledger> => {
  const { url, close } = await startSubscriptions(variant)
  try {
    return await verify({
      ...{ target: url, contract, token, seed: 1, cases: 200, sustained: 0, strict: true },
      listen: { waitMs: 1000 },
      ...options,
    })
  } finally {
    await close()
  }
}

const failed = ({ findings }: Ledger): readonly string[] => findings.map(({ obligation }) => obligation)
const prefix = 'subscribe/callback/ready/'
const verdicts = ({ entries }: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.flatMap(({ obligation: { id, family }, verdict }) =>
      family === 'callback' ? [[id.slice(prefix.length), verdict.kind] as const] : [],
    ),
  )

const seeds = [1, 2] as const
const withSeeds = <T>(rows: readonly T[]): readonly (readonly [T, number])[] =>
  rows.flatMap(row => seeds.map(seed => [row, seed] as const))

describe.concurrent('a server whose callbacks are as declared conforms', () => {
  test.each(withSeeds(['', 'late', 'retries on 503', 'before the response']))(
    '%s, seed %i',
    async (variant, seed) => {
      const ledger = await run(variant, { seed, cases: 1500 })
      expect(failed(ledger)).toEqual([])
      expect(verdicts(ledger)).toEqual({
        sent: 'passed',
        request: 'passed',
        credentials: 'passed',
        own: 'passed',
        once: 'passed',
        rejected: 'passed',
        refused: 'passed',
        repeated: 'observed',
      })
      expect(ledger.end?.conclusion).toBe('conformant')
      expect(ledger.start.contract.notTested).toBeUndefined()
    },
  )
})

describe.concurrent('a fault of a callback is found, and nothing else', () => {
  test.each(
    withSeeds([
      ['nothing', ['sent']],
      ['another path', ['request']],
      ['a path of its own', ['sent']],
      ['another method', ['request']],
      ['a body that breaks the schema', ['request']],
      ['another media type', ['request']],
      ['twice', ['once']],
      ['also after a 401', ['rejected']],
      ['also after a 400', ['rejected']],
      ['no credentials', ['credentials']],
      ['the body of another', ['own']],
      ['falls over on 503', ['refused']],
    ] as const),
  )('%j, seed %i', async ([variant, names], seed) => {
    const ledger = await run(variant, { seed })
    expect(failed(ledger)).toEqual(names.map(name => `${prefix}${name}`))
    expect(ledger.findings.map(({ repeat }) => repeat)).toEqual(names.map(() => 'steady'))
    expect(ledger.end?.conclusion).toBe('nonconformant')
  })
})

test.each(seeds)(
  'who sends all callbacks to the first URL is found by what comes there, seed %i',
  async seed => {
    const ledger = await run('the first URL ever', { seed })
    expect(failed(ledger)).toContain(`${prefix}sent`)
    expect(ledger.findings[0]?.actual).toMatch(/^nothing came to its URL in 1\.0 s/)
    expect(failed(ledger).every(id => id.startsWith(prefix))).toBe(true)
  },
)

test.each(seeds)('a server that never answers again after a 503 is told by that, seed %i', async seed => {
  const ledger = await run('breaks on 503', { seed })
  expect(failed(ledger)).toContain(`${prefix}refused`)
  // All else that it shows is that it is gone.
  const others = failed(ledger).filter(id => id !== `${prefix}refused`)
  expect(others.filter(id => !id.endsWith('/stability/drift'))).toEqual([])
})

test.each(seeds)('a fault of some callbacks alone is found among several, seed %i', async seed => {
  const ledger = await run('a body without topics of some length', { seed })
  expect(failed(ledger)).toEqual([`${prefix}request`])
})

test('without a listener there are no requirements of callbacks', async () => {
  const ledger = await run('nothing', { listen: undefined, only: ['subscribe/request/valid'] })
  expect(verdicts(ledger)).toEqual({})
  expect(failed(ledger)).toEqual([])
})

test.each(seeds)(
  'the requirement that nothing comes after a rejection is tested alone, seed %i',
  async seed => {
    const only = { seed, only: [`${prefix}rejected`] }
    expect(verdicts(await run('', only)).rejected).toBe('passed')
    const ledger = await run('also after a 401', only)
    expect(failed(ledger)).toEqual([`${prefix}rejected`])
  },
)
