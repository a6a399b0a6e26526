/** How many requests are in flight follows from what the server shows. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlots } from '../../../conformance/send/transport/slots.ts'
import { createWindow } from '../../../conformance/send/transport/window.ts'
import type { Outcome } from '../../../spec/index.ts'

const answered = (ms: number, status = 200, text = ''): Outcome => ({
  kind: 'response',
  ms,
  response: { status, headers: [], body: Buffer.from(text) },
})
const reset: Outcome = { kind: 'failure', failure: 'reset', status: null, detail: 'reset', ms: 1 }

/** Sends so many requests, as many at a time as the window allows; the outcome of each by how many were in flight. */
const flood = async (
  window: ReturnType<typeof createWindow>,
  requests: number,
  outcomeAt: (inFlight: number) => Outcome,
): Promise<number> => {
  let running = 0
  let most = 0
  const send = async (): Promise<void> => {
    await window.enter()
    running += 1
    most = Math.max(most, running)
    // The others that may be sent are sent before this one is answered.
    await new Promise(resolve => setImmediate(resolve))
    const outcome = outcomeAt(running)
    running -= 1
    window.leave(outcome)
  }
  await Promise.all(Array.from({ length: requests }, send))
  return most
}

test('it begins with four, and grows to the most as long as the server answers as fast as before', async () => {
  const window = createWindow(64)
  expect(window.limit()).toBe(4)
  await flood(window, 400, () => answered(100))
  expect(window.limit()).toBe(64)
})

test('a server that is near gets no more than 16, also if it was slow at first', async () => {
  const far = createWindow(128)
  await flood(far, 1000, () => answered(100))
  expect(far.limit()).toBe(128)
  const near = createWindow(128)
  await flood(near, 1000, () => answered(100))
  await flood(near, 5000, () => answered(5))
  expect(near.limit()).toBeLessThanOrEqual(16)
  const fewer = createWindow(8)
  await flood(fewer, 1000, () => answered(100))
  expect(fewer.limit()).toBe(8)
})

test('a server that does one thing after the other does not get more and more at a time', async () => {
  const window = createWindow(64)
  await flood(window, 2000, inFlight => answered(inFlight * 12))
  expect(window.limit()).toBeLessThanOrEqual(12)
})

test.each([
  ['429', answered(1, 429)],
  ['502', answered(1, 502)],
  ['503', answered(1, 503)],
  ['a lost connection', reset],
  ['a locked database', answered(1, 500, '{"detail":"database is locked"}')],
])('%s halves it, and it grows by one a round after that', async (_what, outcome) => {
  const window = createWindow(64)
  await flood(window, 400, () => answered(100))
  await window.enter()
  window.leave(outcome)
  expect(window.limit()).toBe(32)
  await flood(window, 32, () => answered(100))
  expect(window.limit()).toBe(33)
})

test('an ordinary 500 is no overload', async () => {
  const window = createWindow(64)
  await flood(window, 400, () => answered(100, 500, 'boom'))
  expect(window.limit()).toBe(64)
})

test('there are never more in flight than the limit has ever been, and everything is sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.constantFrom(answered(1), answered(100), answered(1, 503), reset), { minLength: 1 }),
      fc.integer({ min: 1, max: 300 }),
      async (most, outcomes, requests) => {
        let index = 0
        const window = createWindow(most)
        const reached = await flood(window, requests, () => outcomes[index++ % outcomes.length] as Outcome)
        expect(reached).toBeLessThanOrEqual(most)
        expect(index).toBe(requests)
        expect(window.limit()).toBeGreaterThanOrEqual(1)
      },
    ),
  )
})

test('what takes long counts as much as the time that it takes: few slow responses among many quick ones lower the limit', async () => {
  const window = createWindow(128)
  let count = 0
  const send = async (kind: string, ms: number): Promise<void> => {
    await window.enter()
    window.leave(answered(ms), kind)
  }
  await send('quick', 60)
  await send('slow', 900)
  for (; count < 2000; count++) await (count % 5 === 0 ? send('slow', 4000) : send('quick', 60))
  expect(window.limit()).toBeLessThanOrEqual(4)
})

test('as many have a slot as there are, also when there are more of them later', async () => {
  const inSlots = async (slots: ReturnType<typeof createSlots>, count: number): Promise<number> => {
    let inside = 0
    let most = 0
    const work = async (): Promise<void> => {
      await slots.enter()
      inside += 1
      most = Math.max(most, inside)
      await new Promise(resolve => setImmediate(resolve))
      inside -= 1
      slots.leave()
    }
    await Promise.all(Array.from({ length: count }, work))
    return most
  }
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 30 }),
      ),
      async ([before, after, count]) => {
        let limit = before
        const slots = createSlots(() => limit)
        expect(await inSlots(slots, count)).toBe(Math.min(before, count))
        limit = after
        expect(await inSlots(slots, count)).toBe(Math.min(after, count))
        expect(slots.taken()).toBe(0)
      },
    ),
  )
})

/** Sends requests of many kinds to a server that waits five seconds for its own lock if it has more than `most` of them at a time. */
const floodLocking = async (window: ReturnType<typeof createWindow>, requests: number, most: number) => {
  let [running, stalls] = [0, 0]
  const send = async (_: unknown, index: number): Promise<void> => {
    await window.enter()
    running += 1
    await new Promise(resolve => setImmediate(resolve))
    const isStalled = running > most
    await new Promise(resolve => setImmediate(resolve))
    running -= 1
    if (isStalled) stalls += 1
    window.leave(answered(isStalled ? 5200 : 10), `kind ${index % 7}`)
  }
  await Promise.all(Array.from({ length: requests }, send))
  return stalls
}

test('a server that stalls for seconds if it has several requests at a time soon gets one, and seldom more', async () => {
  const window = createWindow(64)
  await floodLocking(window, 100, 16)
  const stalls = await floodLocking(window, 1000, 1)
  expect(stalls).toBeLessThan(40)
})

test('an operation that takes long by itself does not slow down the others', async () => {
  const window = createWindow(64)
  await flood(window, 400, () => answered(100))
  for (let index = 0; index < 200; index++) {
    await window.enter()
    window.leave(answered(index % 5 === 0 ? 10_000 : 100), index % 5 === 0 ? 'report' : 'thing')
  }
  expect(window.limit()).toBeGreaterThan(30)
})

test('operations that never respond are no stall once they were asked alone', async () => {
  const window = createWindow(16)
  const hang = async (of: string): Promise<void> => {
    await window.enter()
    const began = performance.now()
    await new Promise(resolve => setTimeout(resolve, 60))
    const ms = performance.now() - began
    window.leave({ kind: 'failure', failure: 'timeout', status: null, detail: 'hangs', ms }, of)
  }
  await flood(window, 50, () => answered(10))
  await Promise.all([hang('report'), hang('events')])
  expect(window.stalls.count()).toBe(1)
  await flood(window, 50, () => answered(10))
  await hang('report')
  await hang('events')
  await flood(window, 400, () => answered(10))
  const before = window.limit()
  expect(before).toBeGreaterThan(4)
  await Promise.all([hang('report'), hang('events'), hang('report'), hang('events')])
  expect([window.stalls.count(), window.limit()]).toEqual([1, before])
})
