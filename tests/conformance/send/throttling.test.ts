/** Servers that limit requests without Retry-After, as nginx does by default: no requirement fails for that. */
import { describe, expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import type { Ledger } from '../../../spec/index.ts'
import type { Exchange, StoreResponse } from '../../broken-servers/store/model.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts } from '../../spec/contracts.ts'
import { fasterThan } from './rate-limit.ts'

const contract = contracts.plantStore

type Limit = (exchange: Exchange, response: StoreResponse) => boolean

/** A lawful store behind a limit: what is beyond it gets a page with this status. */
const limited = (status: number, isBeyond: Limit, milliseconds = 0) =>
  storeWith({
    respond: async (response, exchange) => {
      if (milliseconds > 0) await exchange.wait(milliseconds)
      return isBeyond(exchange, response)
        ? {
            ...response,
            status,
            headers: { 'content-type': 'text/html' },
            body: '<h1>Too many requests</h1>',
          }
        : response
    },
  })

const beyond = (most: number): Limit => {
  let count = 0
  return () => ++count > most
}

const run = (server: ReturnType<typeof limited>, options: Partial<VerifyOptions> = {}): Promise<Ledger> =>
  during(server, ({ url, token }) =>
    verify({
      target: url,
      contract,
      token,
      seed: 3,
      cases: 280,
      sustained: 0,
      timeoutMs: 15_000,
      ...options,
    }),
  )

const resultOf = (ledger: Ledger) => ({
  conclusion: conclusionSoFar(ledger),
  findings: ledger.findings.map(({ obligation, title }) => `${obligation}: ${title}`),
})

describe.concurrent('a server that limits the rate conforms, and the run slows down', () => {
  test.each([
    [429, 400, 1],
    [503, 400, 1],
    [429, 60, 10],
    [503, 60, 10],
  ])('with %d, beyond %d requests per second and a burst of %d', async (status, perSecond, burst) => {
    const isFaster = fasterThan(perSecond, burst)
    let rejected = 0
    const ledger = await run(
      limited(status, () => {
        const isBeyond = isFaster()
        rejected += isBeyond ? 1 : 0
        return isBeyond
      }),
    )
    expect(resultOf(ledger)).toEqual({ conclusion: 'conformant', findings: [] })
    const told = expect.stringMatching(
      /^the server throttled: \d+ requests? (was|were) sent again after a 429 or 503 without Retry-After, and the run went down to \d+ requests per second \(--rate sets this from the start\)$/,
    )
    const notes = ledger.notes.map(({ message }) => message)
    // A busy machine may be slower than the limit, and meet it a few times by chance.
    expect(notes).toEqual(rejected > 50 || notes.length > 0 ? [told] : [])
  })
})

test.concurrent('a server that limits requests at a time conforms', async () => {
  const ledger = await run(limited(503, ({ running }) => running() > 4, 10))
  expect(resultOf(ledger)).toEqual({ conclusion: 'conformant', findings: [] })
})

describe.concurrent('a limit that does not go away ends the run without a verdict', () => {
  test('from the start', async () => {
    const ledger = await run(limited(429, () => true))
    expect(resultOf(ledger)).toEqual({ conclusion: 'inconclusive', findings: [] })
    expect(ledger.end?.reason).toBe(
      'the server throttles every request (429): try again later, or without a limit',
    )
  })

  // The time may end at any moment: in a wait, while a response is on its way, between two requests.
  test.each(
    [0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.4, 1].flatMap(s => [
      [429, s] as const,
      [503, s] as const,
    ]),
  )(
    'with %i and a Retry-After, also if the time of the run (%d s) ends the waiting',
    async (status, maxSeconds) => {
      const busy = storeWith({
        respond: response => ({ ...response, status, headers: { 'retry-after': '5' }, body: '' }),
      })
      const ledger = await run(busy, { maxSeconds })
      expect(resultOf(ledger)).toEqual({ conclusion: 'inconclusive', findings: [] })
    },
  )

  test('after a while', async () => {
    const ledger = await run(limited(429, beyond(120)))
    expect(resultOf(ledger)).toEqual({ conclusion: 'inconclusive', findings: [] })
    expect(ledger.end?.reason).toBe(
      'the server throttles requests (429), also those that come slowly: send fewer with --rate, or test it without a limit',
    )
    // What was answered before stays.
    const kinds = ledger.entries.map(({ verdict }) => verdict.kind)
    expect(kinds.filter(kind => kind === 'passed').length).toBeGreaterThan(50)
  })

  test('after a while, and says for how long', async () => {
    const isBeyond = beyond(120)
    const busy = storeWith({
      respond: (response, exchange) =>
        isBeyond(exchange, response)
          ? { ...response, status: 429, headers: { 'x-ratelimit-reset': '720' }, body: '' }
          : response,
    })
    const ledger = await run(busy)
    expect(resultOf(ledger)).toEqual({ conclusion: 'inconclusive', findings: [] })
    expect(ledger.end?.reason).toBe(
      'the server throttles requests (429) and asks to wait for 12 min 0 s: send fewer with --rate, or test it without a limit',
    )
  })
})

test.concurrent('a 503 that always answers the same requests is a failure', async () => {
  const ledger = await run(limited(503, (_, { plant }) => plant?.tag !== undefined))
  expect(ledger.end?.conclusion).toBe('nonconformant')
  expect(resultOf(ledger).findings).toContain(
    'createPlant/request/body/presence/with-tag: answered 503 to a body with the optional property `tag`',
  )
  expect(ledger.notes).toEqual([])
})
