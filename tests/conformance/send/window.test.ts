/** How many requests are in flight follows from what the server shows. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlots, createWindow } from '../../../conformance/send/transport/window.ts'
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

test('connections that are lost for one kind of request only are no overload', async () => {
  const window = createWindow(64)
  await flood(window, 400, () => answered(100))
  const lose = async (...kinds: readonly string[]): Promise<number> => {
    for (const kind of kinds) {
      await window.enter()
      window.leave(reset, kind)
    }
    return window.limit()
  }
  expect(await lose('status', 'status', 'status', 'status')).toBe(32)
  expect(await lose('thing', 'status')).toBe(8)
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

/** A clock that stands still until it is told. */
const createClock = () => {
  let time = 0
  return {
    now: () => time,
    passUntil: (end: number) => {
      time = Math.max(time, end)
    },
  }
}
type Clock = ReturnType<typeof createClock>
type Timed = { readonly window: ReturnType<typeof createWindow>; readonly clock: Clock }

const timedWindow = (most: number): Timed => {
  const clock = createClock()
  return { clock, window: createWindow(most, clock.now) }
}

/** Sends requests of many kinds to a server that waits five seconds for its own lock if it has more than `most` of them at a time. */
const floodLocking = async ({ window, clock }: Timed, requests: number, most: number) => {
  let [running, stalls] = [0, 0]
  const send = async (_: unknown, index: number): Promise<void> => {
    await window.enter()
    running += 1
    await new Promise(resolve => setImmediate(resolve))
    const isStalled = running > most
    const ms = isStalled ? 5200 : 10
    const end = clock.now() + ms
    await new Promise(resolve => setImmediate(resolve))
    running -= 1
    if (isStalled) stalls += 1
    clock.passUntil(end)
    window.leave(answered(ms), `kind ${index % 7}`)
  }
  await Promise.all(Array.from({ length: requests }, send))
  return stalls
}

test('a server that stalls for seconds if it has several requests at a time soon gets one, and seldom more', async () => {
  const timed = timedWindow(64)
  await floodLocking(timed, 100, 16)
  const stalls = await floodLocking(timed, 1000, 1)
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

const hanging = { kind: 'failure', failure: 'timeout', status: null, detail: 'hangs', ms: 5000 } as const

test('operations that take long or never respond are no stall as long as others are answered meanwhile', async () => {
  const { window, clock } = timedWindow(64)
  await flood(window, 400, () => answered(10))
  const before = window.limit()
  for (let count = 0; count < 4; count++) {
    for (const _ of ['report', 'events']) await window.enter()
    const end = clock.now() + 5000
    for (let time = clock.now(); time < end - 5; time += 100) {
      await window.enter()
      clock.passUntil(time + 10)
      window.leave(answered(10))
    }
    clock.passUntil(end)
    window.leave(answered(5000), 'report')
    window.leave(hanging, 'events')
  }
  expect([window.stalls.count(), window.limit()]).toEqual([0, before])
})

/** As many requests of these kinds as may be in flight at once, of which none is answered. */
const hangTogether = async (
  { window, clock }: Timed,
  kinds: readonly string[],
  together = window.limit(),
): Promise<void> => {
  for (let count = 0; count < together; count++) await window.enter()
  clock.passUntil(clock.now() + 5000)
  for (let count = 0; count < together; count++) window.leave(hanging, kinds[count % kinds.length])
}

test.each([
  [3, 0],
  [4, 1],
])(
  'of one operation %i requests that hang together are %i pauses, and no fewer are sent after it',
  async (together, pauses) => {
    const timed = timedWindow(16)
    const { window } = timed
    await flood(window, 400, () => answered(10))
    const before = window.limit()
    await hangTogether(timed, [''], together)
    expect([window.stalls.pauses(), window.stalls.count(), window.limit()]).toEqual([pauses, 0, before])
  },
)

test('a server that pauses for the third time while requests of one kind are in flight hangs on them', async () => {
  const timed = timedWindow(16)
  const { window, clock } = timed
  const seen: number[] = []
  for (let round = 0; round < 4; round++) {
    await flood(window, 400, () => answered(10))
    clock.passUntil(clock.now() + 10)
    await hangTogether(timed, [''])
    seen.push(window.stalls.pauses())
  }
  expect(seen).toEqual([1, 2, 2, 2])
})

test('a server that answers nothing any more is not waited for, and gets as many requests as before', async () => {
  const timed = timedWindow(16)
  const { window } = timed
  await flood(window, 400, () => answered(10))
  const before = window.limit()
  const limits: number[] = []
  for (let round = 0; round < 4; round++) {
    limits.push(window.limit())
    await hangTogether(timed, ['', 'others'])
  }
  expect(limits).toEqual([before, 4, 1, before])
})

test('operations that never respond are no stall', async () => {
  const { window, clock } = timedWindow(16)
  await flood(window, 400, () => answered(10))
  const before = window.limit()
  for (const _ of ['report', 'events']) await window.enter()
  clock.passUntil(clock.now() + 5000)
  for (const kind of ['report', 'events']) window.leave(hanging, kind)
  expect([window.stalls.count(), window.limit()]).toEqual([0, before])
})

test('operations that respond no more are no stall once they were asked alone', async () => {
  const { window, clock } = timedWindow(16)
  const hang = async (of: string): Promise<void> => {
    clock.passUntil(clock.now() + 10)
    await window.enter()
    const end = clock.now() + 5000
    await new Promise(resolve => setImmediate(resolve))
    clock.passUntil(end)
    window.leave(hanging, of)
  }
  await flood(window, 50, () => answered(10))
  for (const kind of ['report', 'events']) {
    await window.enter()
    window.leave(answered(10), kind)
  }
  await Promise.all([hang('report'), hang('events')])
  expect(window.stalls.count()).toBe(1)
  clock.passUntil(clock.now() + 10)
  await flood(window, 50, () => answered(10))
  await hang('report')
  await hang('events')
  await flood(window, 400, () => answered(10))
  const before = window.limit()
  expect(before).toBeGreaterThan(4)
  await Promise.all([hang('report'), hang('events'), hang('report'), hang('events')])
  expect([window.stalls.count(), window.limit()]).toEqual([1, before])
})
