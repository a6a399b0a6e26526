import type { UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'

/** Gives out cases so that operations which take long do not hold up all others: each of them has a share of the requests in flight. */
export type Lanes = {
  /** The next case to send; null: the queue had none to send here; undefined: there are no more, or others will take them. */
  readonly next: () => TestCase | null | undefined
  /** Has to be told of each case that was given out, and of the milliseconds that it took. */
  readonly done: (testCase: TestCase, ms: number) => void
  /** Gives those that were put off and not taken. */
  readonly rest: () => readonly TestCase[]
}

/** Why a case that was put off has not been sent. */
export const slow: UntestedReason = {
  cause: 'time',
  reason: 'the operation takes long, and the time was up before its first case',
}

/** An operation takes long if its responses take more than this, in milliseconds, and so many times as long as those of most operations. */
const long = { ms: 500, factor: 4 } as const
/** The share of the requests in flight that such an operation has, and that all of them have together; one at least. */
const share = { one: 1 / 8, all: 1 / 4 } as const

/** How much a request counts for the time that those of its operation take. */
const weight = 1 / 4

/** `inFlight`: how many requests may be in flight now; `isOver`: whether what was put off is not to be sent any more; `onPutOff`: hears of each that is. */
export const createLanes = (
  queue: Iterator<TestCase | null>,
  inFlight: () => number,
  {
    isOver,
    onPutOff,
    hung = new Map(),
    isLate = () => false,
  }: {
    readonly isOver: () => boolean
    readonly onPutOff: (testCase: TestCase) => void
    /** Milliseconds after which operations that hung before were given up. */
    readonly hung?: ReadonlyMap<string, number>
    /** Whether what was put off has to begin, as the queue may have others as long as there is time. */
    readonly isLate?: () => boolean
  },
): Lanes => {
  const running = new Map<string, number>()
  /** Milliseconds that a request of an operation takes; the last ones count most. */
  const times = new Map<string, number>(hung)
  const putOff = new Map<string, TestCase[]>()
  let isDrained = false

  const isLong = (operation: string): boolean => {
    const ms = times.get(operation) ?? 0
    if (ms < long.ms) return false
    const all = [...times.values()].sort((left, right) => left - right)
    return ms > long.factor * (all[Math.floor((all.length - 1) / 2)] ?? 0)
  }
  const most = (part: number): number => Math.max(1, Math.floor(inFlight() * part))
  /** Whether an operation that takes long would hold up the others. */
  const hasToWait = (): boolean => !isDrained && inFlight() * share.all < 1 && !isLate()
  const hasRoom = (operation: string): boolean =>
    !isLong(operation) ||
    (!hasToWait() &&
      (running.get(operation) ?? 0) < most(share.one) &&
      [...running].reduce((sum, [each, count]) => (isLong(each) ? sum + count : sum), 0) < most(share.all))
  const begin = (testCase: TestCase): TestCase => {
    const { operation } = testCase.obligation
    running.set(operation, (running.get(operation) ?? 0) + 1)
    return testCase
  }
  const fromPutOff = (): TestCase | undefined => {
    for (const [operation, cases] of putOff) {
      if (isOver() || !hasRoom(operation)) continue
      const testCase = cases.shift()
      if (cases.length === 0) putOff.delete(operation)
      if (testCase !== undefined) return testCase
    }
    return undefined
  }

  return {
    next: () => {
      for (;;) {
        const waiting = fromPutOff()
        if (waiting !== undefined) return begin(waiting)
        const { done, value } = queue.next()
        if (done === true) {
          if (isDrained) return undefined
          isDrained = true
          continue
        }
        if (value === null) return null
        const { operation } = value.obligation
        const before = putOff.get(operation)
        if (before === undefined && hasRoom(operation)) return begin(value)
        if (before === undefined) putOff.set(operation, [value])
        else before.push(value)
        onPutOff(value)
      }
    },
    done: ({ obligation: { operation }, request }, ms) => {
      running.set(operation, (running.get(operation) ?? 1) - 1)
      // After raw bytes the suite waits for what may still come.
      if (request.raw !== undefined) return
      const before = times.get(operation) ?? ms
      times.set(operation, before + (ms - before) * weight)
    },
    rest: () => [...putOff.values()].flat(),
  }
}
