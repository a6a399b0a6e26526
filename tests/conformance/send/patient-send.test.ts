/** A busy server is waited for, as far as that helps. The clock is a fake one, so that minutes pass at once, on any machine. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPatientSend, is503 } from '../../../conformance/send/patient-send.ts'
import { createLasting, createPace } from '../../../conformance/send/transport/pace.ts'
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
    { pace, limit: inFlight, lasting: createLasting() },
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

test('a server that is busy for a moment every few seconds loses little of its rate each time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4000, max: 8000 }),
      fc.integer({ min: 10, max: 60 }),
      async (every, busy) => {
        const start = performance.now()
        const isBusy = () => (performance.now() - start) % every > every - busy
        const { outcomes } = await runFor(60, () => 1, isBusy)
        // A second at half of the rate, and the waiting.
        expect(outcomes.length).toBeGreaterThan(60_000 * (1 - 1200 / every))
        expect(outcomes.filter(is503).length).toBe(0)
      },
    ),
    { numRuns: 20 },
  )
})

test('a server that serves some operations only, in the mode that it is in, is not waited for at each', async () => {
  const pace = createPace(null)
  const pacing = { pace, limit: () => 4, lasting: createLasting() }
  const limits = { signal: new AbortController().signal, deadline: null }
  const queue = Array.from({ length: 40 }, (_, index) => index).values()
  const served: boolean[] = []
  const worker = async (): Promise<void> => {
    for (const operation of queue) {
      const sendPatiently = createPatientSend(pacing, limits)
      for (let time = 0; time < 3; time++) {
        const { sent } = await sendPatiently(async () => {
          await wait(1)
          return { outcome: outcomeOf(operation % 2 === 0 ? 200 : 503) }
        }, 1000)
        served.push(!is503(sent.outcome))
      }
    }
  }
  const start = performance.now()
  let end = Number.NaN
  const all = Promise.all([0, 1, 2, 3].map(worker)).then(() => {
    end = performance.now()
  })
  await vi.advanceTimersByTimeAsync(200_000)
  await all
  expect(served.filter(Boolean).length).toBe(60)
  expect(end - start).toBeLessThan(20_000)
})

test('the same 503 that goes away in the end is waited for', async () => {
  const pacing = { pace: createPace(null), limit: () => 1, lasting: createLasting() }
  const limits = { signal: new AbortController().signal, deadline: null }
  let count = 0
  const outcomes: Outcome[] = []
  const all = (async () => {
    for (let time = 0; time < 60; time++) {
      // Each third request gets it once.
      const { sent } = await createPatientSend(pacing, limits)(async () => {
        await wait(1)
        count += 1
        return { outcome: outcomeOf(count % 3 === 0 ? 503 : 200) }
      }, 1000)
      outcomes.push(sent.outcome)
    }
  })()
  await vi.advanceTimersByTimeAsync(100_000)
  await all
  expect(outcomes.some(is503)).toBe(false)
})

test.each([25, 60, 300])(
  'a server that serves %d requests in each second, and says when it serves more, refuses less than it serves',
  async perSecond => {
    const pace = createPace(null)
    const [seconds, inFlight] = [30, 128]
    const until = performance.now() + seconds * 1000
    const sendPatiently = createPatientSend(
      { pace, limit: () => inFlight, lasting: createLasting() },
      { signal: new AbortController().signal, deadline: null },
    )
    let [second, count, served, refused] = [0, 0, 0, 0]
    const answer = (): Outcome => {
      const now = Math.floor(performance.now() / 1000)
      if (now !== second) [second, count] = [now, 0]
      if (++count <= perSecond) {
        served += 1
        return outcomeOf(200)
      }
      refused += 1
      const response = { status: 429, headers: [['Retry-After', '1']] as const, body: new Uint8Array() }
      return { kind: 'response', ms: 1, response }
    }
    const worker = async (): Promise<void> => {
      while (performance.now() < until)
        await sendPatiently(async () => {
          await pace.turn()
          await wait(1)
          return { outcome: answer() }
        }, 5000)
    }
    const all = Promise.all(Array.from({ length: inFlight }, worker))
    await vi.advanceTimersByTimeAsync(seconds * 1000 + 20_000)
    await all
    expect(refused).toBeLessThan(served)
    expect(served).toBeGreaterThan(0.6 * perSecond * seconds)
  },
)
