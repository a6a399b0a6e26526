import type { Stop } from '../../spec/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import { isPast, isTimeUp, type RunClock } from './run-clock.ts'

/** What ended a run; `reason` adds what `stopped` does not say. */
export type Ending = { readonly stopped: Stop; readonly reason: string | null }

/** Watches for what ends a run; the first such thing counts. */
export type EndingWatch = {
  readonly end: (stopped: Exclude<Stop, 'done'>, reason: string | null) => void
  /** Whether no more cases are to be sent. */
  readonly isOver: () => boolean
  readonly ending: () => Ending
}

export const watchEnding = ({ signal }: RunOptions, clock: RunClock): EndingWatch => {
  let first: Ending | null = null
  const end: EndingWatch['end'] = (stopped, reason) => {
    first ??= { stopped, reason }
  }
  return {
    end,
    isOver: () => {
      if (signal.aborted) end('interrupt', null)
      // The plan itself then goes on to the cases that have to come last, and they are sent.
      if (isTimeUp(clock)) end('time', null)
      return signal.aborted || isPast(clock.lastCases()) || (first !== null && first.stopped !== 'time')
    },
    ending: () => first ?? { stopped: 'done', reason: null },
  }
}
