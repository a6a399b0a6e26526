/**
 * Whatever a run leaves out or accepts, and whatever the network does: a server that breaks a MUST never makes a run green in silence.
 * `npm run bench:never-green` tries it for as long as you like.
 */
import { deepStrictEqual, match, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { exitCodeOf } from '../../cli/process/exit-of-run.ts'
import { type VerifyOptions, verify } from '../../conformance/index.ts'
import { createMock, MutantError } from '../../mock/index.ts'
import { terminal } from '../../reports/index.ts'
import {
  baselineEntriesOf,
  type Conclusion,
  type Contract,
  contradictionsIn,
  type Ledger,
  loadContract,
  obligationsOf,
  plantStoreDocument,
} from '../../spec/index.ts'
import { brokenServers, type Running, startServer } from '../broken-servers/index.ts'
import { badNetwork, type Weather } from './bad-network.ts'

export const contract: Contract = await loadContract({ from: plantStoreDocument.pathname })
export const token = 'secret'

const musts = obligationsOf(contract, 'declared')
  .filter(({ level }) => level === 'MUST')
  .map(({ id }) => id)

/** One that accepts requests without credentials comes as often as all others together. */
export const mutant: fc.Arbitrary<string> = fc.oneof(
  fc.constant('createPlant/auth/absent'),
  fc.constantFrom(...musts),
)

/** A mock that breaks this obligation in every case that tests it; skips what the mock cannot break. */
export const startMutant = async (breaks: string): Promise<Running> => {
  const mock = await createMock({ contract, tokens: [token], breaks, warn: () => {} }).catch(error => {
    if (error instanceof MutantError) return null
    throw error
  })
  fc.pre(mock !== null)
  return { url: mock.url, token, close: mock.close }
}

/** Those that hang only cost time. */
const hunted = brokenServers.filter(({ level, hangs }) => level === 'MUST' && !hangs)

type Server = {
  readonly name: string
  readonly start: () => Promise<Running>
  /** What it breaks whenever that is tested; null if it takes certain requests, and a run may not send one. */
  readonly breaks: string | null
}

const mutated = (breaks: string): Server => ({ name: breaks, breaks, start: () => startMutant(breaks) })

const server: fc.Arbitrary<Server> = fc.oneof(
  mutant.map(mutated),
  fc.constantFrom(...hunted).map(row => ({ name: row.name, breaks: null, start: () => startServer(row) })),
)

const fair: Weather = { latency: 0, losesEvery: 0, diesAfter: null }

const weather: fc.Arbitrary<Weather> = fc.oneof(
  fc.constant(fair),
  fc.record({
    latency: fc.constantFrom(0, 0, 5, 40),
    losesEvery: fc.constantFrom(0, 0, 400, 60, 12),
    diesAfter: fc.option(fc.integer({ min: 1, max: 600 }), { freq: 2 }),
  }),
)

const selection = fc.constantFrom(
  {},
  {},
  {},
  { only: ['createPlant/auth'] },
  { only: ['createPlant/stability'] },
  { only: ['createPlant/response'] },
  { skip: ['createPlant/auth/absent'] },
  { skip: ['*/response/*', 'createPlant/request'] },
)

const waiver = fc
  .record({
    obligation: fc.oneof(
      fc.constantFrom('createPlant/response', 'createPlant/stability', 'createPlant/request/*/type/*'),
      fc.constantFrom(...musts),
    ),
    cause: fc.constantFrom(undefined, 'answered 200 (absent)', 'answered 400'),
    rate: fc.constantFrom(undefined, undefined, 0.02),
  })
  .map(({ obligation, cause, rate }) => ({
    obligation,
    reason: 'known',
    owner: 'garden team',
    expires: '2999-12-31',
    ...(cause === undefined ? {} : { cause }),
    ...(rate === undefined ? {} : { rate }),
  }))

const known = fc.record({
  obligation: fc.constantFrom(...musts),
  cause: fc.constantFrom('answered 200', 'answered 400', 'answered 500', 'answered 200 (absent)', 'reset'),
  since: fc.constant('2026-01-01'),
})

/** `own`: the baseline is what the same run found before. */
const accepting = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.record({ waivers: fc.array(waiver, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      baseline: fc.uniqueArray(known, { selector: ({ obligation }) => obligation, maxLength: 30 }),
      shrinkBaseline: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ own: true }) },
)

const rules = fc.record({
  seed: fc.nat(2 ** 31 - 1),
  concurrency: fc.constantFrom(1, 16, 64),
  maxSeconds: fc.constantFrom(2, 2, 0.05, 0.5),
  bail: fc.constantFrom(false, false, true),
  strict: fc.boolean(),
})

/** How much less than by default a run sends, and what it then lets pass; or all of it. */
const lenience = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      cases: fc.integer({ min: 1, max: 600 }),
      sustained: fc.constantFrom(0, 100),
      unauthenticated: fc.constantFrom('declared' as const, 'either' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({}) },
)

type Settings = Omit<VerifyOptions, 'target'> & { readonly own?: boolean }

const settings: fc.Arbitrary<Settings> = fc
  .tuple(rules, lenience, selection, accepting)
  .map(([given, lenient, selected, accepted]) => ({ ...given, ...lenient, ...selected, ...accepted }))

/** What nobody may miss: a baseline or a waiver that holds the one requirement that is broken. */
export const examples: [Server, Settings, Weather][] = [
  { own: true },
  { waivers: [{ obligation: 'createPlant/auth/absent', reason: 'a', owner: 'b', expires: '2999-12-31' }] },
].map(accepted => [mutated('createPlant/auth/absent'), { seed: 1, ...accepted }, fair])

/** Calls `seen` with the conclusion of every run. */
export const neverGreen = (seen: (conclusion: Conclusion | undefined) => void) =>
  fc.asyncProperty(server, settings, weather, async ({ name, start, breaks }, { own, ...given }, network) => {
    const running = await start()
    const proxy = await badNetwork(running.url, network)
    try {
      const options: VerifyOptions = {
        ...given,
        contract,
        token: running.token,
        target: proxy.url,
        timeoutMs: 1000,
      }
      const first = await verify(options)
      const baseline = own === true ? baselineEntriesOf(first) : given.baseline
      const ledger = own === true ? await verify({ ...options, baseline }) : first
      seen(ledger.end?.conclusion)
      deepStrictEqual(contradictionsIn(ledger), [])
      if (exitCodeOf(ledger, 1) !== 0) return
      ok(ledger.end?.conclusion === 'accepted', `${name} is broken, and the run is ${ledger.end?.conclusion}`)
      expectNamed(ledger, { ...given, baseline }, breaks)
    } finally {
      await proxy.close()
      await running.close()
    }
  })

/** Green is only what somebody has named, and the words say so. */
const expectNamed = (
  ledger: Ledger,
  { waivers = [], baseline = [] }: Settings,
  breaks: string | null,
): void => {
  const held = ledger.entries.filter(({ verdict: { kind } }) => kind === 'waived' || kind === 'baselined')
  const isNamed = (id: string): boolean =>
    baseline.some(({ obligation }) => obligation === id) ||
    waivers.some(({ obligation }) => obligation === id || pattern(obligation).test(id))
  deepStrictEqual(
    held.map(({ obligation: { id } }) => id).filter(id => !isNamed(id)),
    [],
  )
  ok(breaks === null || held.length > 0)
  const printed = terminal(ledger, { colour: false, verbosity: 'quiet', ledger: '', report: null })
  match(printed, /^ACCEPTED WITH \d+ DEVIATIONS? /m)
}

const pattern = (obligation: string): RegExp =>
  new RegExp(`^${obligation.split('*').map(RegExp.escape).join('.*')}(/|$)`)
