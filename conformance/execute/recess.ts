import { setTimeout as delay } from 'node:timers/promises'
import type { TestCase } from '../cases/case.ts'
import type { RunClock } from '../session/run-clock.ts'

/**
 * When a run with a limit sends the cases about what the server keeps, in shares of the time of its plan: at the latest after so much of it, and again shortly
 * before its end. Without that, a plan that does not come to its end would have none of them.
 */
const due = [0.7, 0.92] as const
/** The share that they take each time. */
const share = 0.08
/** One that takes more than this part of it is not followed by another of its resources, for which the plan has to end first. */
const long = 1 / 4
/** Milliseconds that they wait for requests in flight: what hangs may change nothing. */
const patience = 1000

/** Keeps all other cases waiting while the chains are sent. */
export type Recess = {
  /** To be awaited before each other case. */
  readonly enter: () => Promise<void>
  readonly leave: () => void
  /** Waits for the chains that have begun. */
  readonly end: () => Promise<void>
}

/** `chains`: loses what is sent; `isTold`: whether each operation has had what tells most of it. */
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

/** The part of the path before the first name: what has it in common is about the same resources. */
const partOf = ({ spec: { path } }: TestCase): string => path.split('/{')[0] ?? path
