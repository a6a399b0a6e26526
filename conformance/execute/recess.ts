import { setTimeout as delay } from 'node:timers/promises'
import type { TestCase } from '../cases/case.ts'
import type { RunClock } from '../session/run-clock.ts'

/**
 * When the plan of a run with a time limit pauses for the cases about what the server keeps, which are otherwise sent last: after these shares of its time at
 * the latest. Without that, a plan that the limit cuts short would have none of them.
 */
const due = [0.7, 0.92] as const
/** The share of the time that each pause takes. */
const share = 0.08
/** If a chain takes more than this part of a pause, the others about its resources are left for the end of the plan. */
const long = 1 / 4
/** Milliseconds that a pause waits for requests in flight: what hangs may change nothing. */
const patience = 1000

/** Pauses in which chains are sent while no other case is under way. */
export type Recess = {
  /** To be awaited before each other case, and `leave` to be called after it. */
  readonly enter: () => Promise<void>
  readonly leave: () => void
  /** Waits for the chains that have begun. */
  readonly end: () => Promise<void>
}

/** Takes from `chains` what it sends; `isTold`: whether each operation has had what tells most of it. */
export const createRecess = (
  { deadline }: RunClock,
  chains: TestCase[],
  isTold: () => boolean,
  isOver: () => boolean,
  send: (testCase: TestCase) => Promise<void>,
): Recess => {
  const began = performance.now()
  const [sent, slow] = [new Set<string>(), new Set<string>()]
  const open: Promise<void>[] = []
  let [taken, busy] = [0, 0]
  let current: Promise<void> | null = null

  const isDue = (): boolean => {
    const end = deadline()
    const from = due[taken]
    if (end === null || from === undefined || chains.length === 0) return false
    return (taken === 0 && isTold()) || performance.now() - began > from * (end - began)
  }

  /** One of each requirement before the second of any. */
  const nextChain = (): TestCase | undefined => {
    const quick = chains.filter(testCase => !slow.has(partOf(testCase)))
    const testCase = quick.find(({ obligation }) => !sent.has(obligation.id)) ?? quick[0]
    if (testCase === undefined) return undefined
    chains.splice(chains.indexOf(testCase), 1)
    sent.add(testCase.obligation.id)
    return testCase
  }

  const hold = async (ms: number): Promise<void> => {
    taken += 1
    const start = performance.now()
    while (busy > 0 && performance.now() - start < patience) await delay(2)
    const timeUp = delay(Math.max(0, ms), undefined, { ref: false })
    while (performance.now() - start < ms && !isOver()) {
      const testCase = nextChain()
      if (testCase === undefined) break
      const since = performance.now()
      const sending = send(testCase)
      open.push(sending)
      // A chain of slow operations goes on beside the others.
      await Promise.race([sending, timeUp])
      if (performance.now() - since > long * ms) slow.add(partOf(testCase))
    }
  }

  return {
    enter: async () => {
      while (current !== null || isDue()) {
        current ??= hold(share * ((deadline() ?? began) - began)).finally(() => {
          current = null
        })
        await current
      }
      busy += 1
    },
    leave: () => {
      busy -= 1
    },
    end: async () => void (await Promise.all(open)),
  }
}

/** The part of a path before its first name, which resources of one kind share. */
const partOf = ({ spec: { path } }: TestCase): string => path.split('/{')[0] ?? path
