import { setTimeout } from 'node:timers/promises'

/** Operations that a request keeps waiting while the server answers those of others: their trials go on, and nobody waits for them. */
export type Stragglers<Result> = {
  readonly has: (operation: string) => boolean
  readonly all: () => readonly string[]
  /** Whether one of them still waits, so that nothing else is asked alone. */
  readonly isPending: () => boolean
  /** Another operation that hung beside them: it is to be asked alone as well. */
  readonly add: (operation: string, result: Result) => void
  /** What comes of a trial; undefined if the operation keeps everybody waiting, or the time for trials is up before it comes. */
  readonly unlessStuck: (
    operation: string,
    trial: Promise<Result>,
    isTimeUp: () => boolean,
  ) => Promise<Result | undefined>
  /** What came of those of these operations that are over, if it is to be gone on with: then they are like all others again. */
  readonly takeBack: (
    operations: readonly string[],
    isWanted: (result: Result) => boolean,
  ) => Promise<ReadonlyMap<string, Result>>
  /** What came of the trials of these, by operation. A trial that is not over has no result. */
  readonly results: () => Promise<ReadonlyMap<string, Result>>
}

/** How often it is looked whether a trial has come to an end, in milliseconds. */
const checkedEvery = 100

/** If more operations than these hang at the same time, the server may be the reason: then they are waited for. */
export const mostLate = 3

export const createStragglers = <Result>(isStuck: (operation: string) => boolean): Stragglers<Result> => {
  const late = new Map<string, Promise<Result>>()
  const over = new Set<string>()
  return {
    has: operation => late.has(operation),
    all: () => [...late.keys()],
    isPending: () => over.size < late.size,
    add: (operation, result) => {
      late.set(operation, Promise.resolve(result))
      over.add(operation)
    },
    unlessStuck: async (operation, trial, isTimeUp) => {
      const done = trial.then(result => ({ result }))
      for (;;) {
        const first = await Promise.race([done, setTimeout(checkedEvery, null, { ref: false })])
        if (first !== null) return first.result
        if (!isTimeUp() && (late.size - over.size >= mostLate || !isStuck(operation))) continue
        late.set(operation, trial)
        const end = (): void => void over.add(operation)
        trial.then(end, end)
        return undefined
      }
    },
    takeBack: async (operations, isWanted) => {
      const taken = new Map<string, Result>()
      for (const operation of operations.filter(each => over.has(each))) {
        const result = await (late.get(operation) as Promise<Result>)
        if (!isWanted(result)) continue
        taken.set(operation, result)
        late.delete(operation)
        over.delete(operation)
      }
      return taken
    },
    results: async () => {
      const results = new Map<string, Result>()
      for (const operation of over) results.set(operation, await (late.get(operation) as Promise<Result>))
      return results
    },
  }
}
