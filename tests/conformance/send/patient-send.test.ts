/** A busy server is waited for, as far as that helps. The clock is a fake one, so that minutes pass at once, on any machine. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPatientSend, is503 } from '../../../conformance/send/patient-send.ts'
import { createPace } from '../../../conformance/send/transport/pace.ts'
import type { Outcome } from '../../../spec/index.ts'
import { fasterThan } from './rate-limit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const outcomeOf = (status: number): Outcome => ({
  kind: 'response',
  ms: 1,
  response: { status, headers: [], body: new Uint8Array() },
})

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Sends with this many in flight for these seconds. `isTooSoon`: whether the server refuses to serve a request now. */
const runFor = async (seconds: number, inFlight: () => number, isTooSoon: () => boolean) => {
  const pace = createPace(null)
  const until = performance.now() + seconds * 1000
  const sendPatiently = createPatientSend(
    { pace, limit: inFlight },
    { signal: new AbortController().signal, deadline: null },
  )
  const outcomes: Outcome[] = []
  const one = async (): Promise<void> => {
    const { sent } = await sendPatiently(async () => {
      await pace.turn()
      await wait(1)
      return { outcome: outcomeOf(isTooSoon() ? 503 : 200) }
    }, 1000)
    outcomes.push(sent.outcome)
  }
  const worker = async (number: number): Promise<void> => {
    while (performance.now() < until) {
      if (number < inFlight()) await one()
      else await wait(10)
    }
  }
  const all = Promise.all([0, 1, 2, 3].map(worker))
  // Who waits when the time is over is waited for.
  await vi.advanceTimersByTimeAsync(seconds * 1000 + 20_000)
  await all
  return { outcomes, pace }
}

test('a server that limits the rate with 503 serves everything in the end, however many are in flight later', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 25, max: 500 }),
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (perSecond, burst, later) => {
        const start = performance.now()
        const inFlight = () => (performance.now() < start + 2000 ? 1 : later)
        const { outcomes, pace } = await runFor(30, inFlight, fasterThan(perSecond, burst))
        expect(outcomes.filter(is503).length).toBe(0)
        expect(pace.rate()).toBeLessThan(3 * perSecond)
      },
    ),
    { numRuns: 30 },
  )
})

test.each([0.02, 0.1, 0.5])(
  'a server that fails by chance, a share of %d, is not slowed down for it, and its failures are shown',
  async share => {
    let number = 0
    // As good as chance, and always the same.
    const isFailed = () => (++number * 0.618_033_988_749_895) % 1 < share
    const { outcomes, pace } = await runFor(60, () => 1, isFailed)
    expect(outcomes.some(is503)).toBe(true)
    expect(pace.rate()).toBeNull()
  },
)

test('a server that is busy with itself now and then, at any rate, is not slowed down for long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1000, max: 6000 }),
      fc.integer({ min: 20, max: 300 }),
      async (every, busy) => {
        const isBusy = () => performance.now() % every < busy
        const { outcomes } = await runFor(120, () => 1, isBusy)
        // 1 ms each, if nothing waits.
        expect(outcomes.length).toBeGreaterThan(120_000 * (1 - busy / every) * 0.5)
      },
    ),
    { numRuns: 20 },
  )
})
