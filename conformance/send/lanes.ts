import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Outcome, UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { isHanging } from './transport/failure.ts'

/** Gives out cases so that operations which take long do not hold up all others: each of them has a share of the requests in flight. */
export type Lanes = {
  /** The next case to send; null: the queue had none to send here; undefined: there are no more, or others will take them. */
  readonly next: () => TestCase | null | undefined
  /** Has to be told of what came of a case, before it is done. */
  readonly heard: (testCase: TestCase, outcome: Outcome) => void
  /** Has to be told of each case that was given out, and of the milliseconds that it took. */
  readonly done: (testCase: TestCase, ms: number) => void
  /** Waits before it is looked for another case: longer if there is nothing to send until one of those is answered that take long. */
  readonly pause: () => Promise<void>
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

/** If so many cases in a row had to wait, the queue has no others. */
const mostInRow = 64
/** Cases of an operation that are put off: an endless queue would fill the memory with them. */
const mostPutOff = 500
/** Milliseconds until it is looked again whether one of those that take long has been answered. */
const idleMs = 20

/** How much a request counts for the time that those of its operation take. */
const weight = 1 / 4

/**
 * `inFlight`: how many requests may be in flight now; `isOver`: whether what was put off is not to be sent any more; `onPutOff`: hears of
 * each that is, and whether it is kept.
 */
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
    readonly onPutOff: (testCase: TestCase, isKept: boolean) => void
    /** Milliseconds after which operations that hung before were given up. */
    readonly hung?: ReadonlyMap<string, number>
    /** Whether what was put off has to begin, as the queue may have others as long as there is time. */
    readonly isLate?: () => boolean
  },
): Lanes => {
  const running = new Map<string, number>()
  /** Milliseconds that a request of an operation takes; the last ones count most. */
  const times = new Map<string, number>(hung)
  /** Operations of which the last case hung: they take long, also if most do. */
  const hanging = new Set<string>()
  const putOff = new Map<string, TestCase[]>()
  let isDrained = false
  /** Cases that were put off since the queue had one to send. */
  let inRow = 0

  const isLong = (operation: string): boolean => {
    if (hanging.has(operation)) return true
    const ms = times.get(operation) ?? 0
    if (ms < long.ms) return false
    const all = [...times.values()].sort((left, right) => left - right)
    return ms > long.factor * (all[Math.floor((all.length - 1) / 2)] ?? 0)
  }
  /** Whether the queue may have cases of operations that do not take long. */
  const othersLeft = (): boolean => inRow < mostInRow
  const most = (part: number): number => Math.max(1, Math.floor(inFlight() * part))
  /** Whether an operation that takes long would hold up the others. */
  const hasToWait = (): boolean => !isDrained && othersLeft() && inFlight() * share.all < 1 && !isLate()
  const hasRoom = (operation: string): boolean =>
    !isLong(operation) ||
    (!hasToWait() &&
      (running.get(operation) ?? 0) < most(share.one) &&
      [...running].reduce((sum, [each, count]) => (isLong(each) ? sum + count : sum), 0) <
        most(othersLeft() ? share.all : 1))
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
        if (before === undefined && hasRoom(operation)) {
          inRow = 0
          return begin(value)
        }
        const cases = before ?? []
        const isKept = cases.length < mostPutOff
        if (isKept) cases.push(value)
        putOff.set(operation, cases)
        onPutOff(value, isKept)
        inRow += 1
        if (inRow % mostInRow === 0) return null
      }
    },
    heard: ({ obligation: { operation } }, outcome) => {
      if (isHanging(outcome)) hanging.add(operation)
      else hanging.delete(operation)
    },
    done: ({ obligation: { operation }, request }, ms) => {
      running.set(operation, (running.get(operation) ?? 1) - 1)
      // After raw bytes the suite waits for what may still come.
      if (request.raw !== undefined) return
      const before = times.get(operation) ?? ms
      times.set(operation, before + (ms - before) * weight)
    },
    pause: async () => {
      if (!othersLeft() && [...running.values()].some(count => count > 0)) await setTimeout(idleMs)
      else await setImmediate()
    },
    rest: () => [...putOff.values()].flat(),
  }
}
