import type { HttpRequest, Stop } from '../../spec/index.ts'
import type { Budget } from '../confirm/resend-options.ts'
import type { Gate } from '../options/gate.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { OnEnd } from '../send/cut-send.ts'
import type { WaitLimits } from '../send/transport/time-limit.ts'

/** The time of a run, on the clock of `performance.now`, in milliseconds. Each time is null if there is no limit. */
export type RunClock = {
  readonly began: number
  /** When the plan begins at the latest, whatever is not known of the server by then. */
  readonly preflight: () => number | null
  /** When the plan ends, so that what failed can be sent again and what was created removed in time. */
  readonly deadline: () => number | null
  /** When also those cases of the plan end that have to come last. */
  readonly lastCases: () => number | null
  /** From when on nothing is sent but what removes resources. */
  readonly end: () => number | null
  /** From when on nothing at all is sent: the reports have to be written. */
  readonly last: () => number | null
  /** The plan is ready: what comes now divides the time that is left, however long that took. */
  readonly startSending: () => void
  /** Milliseconds since then. */
  readonly sendingMs: () => number
  /** Keeps time for removing what was created, and for writing the reports. */
  readonly keepFor: (needed: { readonly cleanUp: () => number; readonly reports: number }) => void
}

/**
 * The shares of the time for sending after which each part of a run ends. Removing has time of its own, and may take three seconds
 * more, so that nothing stays behind for them.
 */
const shares = { preflight: 0.3, plan: 0.8, lastCases: 0.86, confirmation: 0.99, cleanUp: 1.05 } as const

/** What comes after the plan does not grow as the plan does: of the time beyond so many milliseconds, a quarter counts for its shares. */
const ordinary = 300_000
const afterPlan = (left: number): number => Math.min(left, ordinary) + Math.max(0, left - ordinary) / 4

/** A run may take the part of so many milliseconds longer, at most, for removing. */
const mostOver = 60_000

/** The largest shares that removing resources and reports can take from the rest, however much they need. */
const mostForCleanUp = 0.4
const mostForReports = 0.3

type Limit = {
  readonly maxSeconds: number | null
  /** Milliseconds of it that are gone before the run. */
  readonly msBefore: number
}

export const startClock = ({ maxSeconds, msBefore }: Limit): RunClock => {
  const began = performance.now()
  const ms = maxSeconds === null ? null : Math.max(0, maxSeconds * 1000 - msBefore)
  let from = began
  let cleanUp = (): number => 0
  let reports = 0
  const at = (share: number, of = afterPlan): number | null => {
    if (ms === null) return null
    const left = Math.max(0, began + ms - from - Math.min(mostForReports * ms, reports))
    // Removing has part of that time anyway, between the end of confirmation and its own.
    const own = (shares.cleanUp - shares.confirmation) * Math.min(left, mostOver)
    const kept = share < shares.cleanUp ? Math.min(mostForCleanUp * left, Math.max(0, cleanUp() - own)) : 0
    return from + left - (1 - share) * of(left) - kept
  }
  return {
    began,
    preflight: () => at(shares.preflight, left => left),
    deadline: () => at(shares.plan),
    lastCases: () => at(shares.lastCases),
    end: () => at(shares.confirmation),
    last: () => at(shares.cleanUp, left => Math.min(left, mostOver)),
    startSending: () => {
      from = performance.now()
    },
    sendingMs: () => performance.now() - from,
    keepFor: needed => {
      cleanUp = needed.cleanUp
      reports = needed.reports
    },
  }
}

export const isTimeUp = ({ deadline }: RunClock): boolean => isPast(deadline())

/** What ends a wait in the part of a run that goes on: the plan, or what comes after it. */
export const partLimits = ({ signal }: Pick<RunOptions, 'signal'>, clock: RunClock): WaitLimits => ({
  signal,
  deadline: isTimeUp(clock) ? clock.end() : clock.deadline(),
})

export const isPast = (time: number | null): boolean => time !== null && performance.now() > time

export const elapsedMs = ({ began }: RunClock): number => Math.round(performance.now() - began)

/** What ended a run; `reason` adds what `stopped` does not say. */
export type Ending = { readonly stopped: Stop; readonly reason: string | null }

/** Watches for what ends a run; the first of these counts. */
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

/** What every request of a run has to pass: what is left out is not sent, and nothing is after the end of the run. */
export type RunGate = {
  /** Why a request is not to be sent; null if it may be. */
  readonly refusal: (request: HttpRequest) => string | null
  /** Whether nothing more is to be sent, whatever it is. */
  readonly isClosed: () => boolean
  /** From now on what failed is sent again. */
  readonly openForRepetition: () => void
  /** From now on only what removes resources is sent, and it has time of its own. */
  readonly openForCleanUp: () => void
  /** Hears when requests in flight are no longer waited for. */
  readonly onEnd: OnEnd
  readonly close: () => void
}

/** How often requests in flight are asked for whether they have to end, in milliseconds. */
const checkedEvery = 100

/** Milliseconds that a run may go on with confirming failures after it was told to end. */
const afterTheEnd = 3000

export const createRunGate = (gate: Gate, clock: RunClock, signal: AbortSignal): RunGate => {
  let abortedAt: number | null = null
  let phase: 'cases' | 'repetition' | 'clean-up' | 'end' = 'cases'
  const waiting = new Set<() => void>()
  const noteAbort = (): void => {
    abortedAt ??= performance.now()
  }
  if (signal.aborted) noteAbort()
  else signal.addEventListener('abort', noteAbort, { once: true })
  const isClosed = (): boolean =>
    phase === 'end' ||
    (phase === 'clean-up'
      ? isPast(clock.last())
      : isPast(clock.end()) || (abortedAt !== null && isPast(abortedAt + afterTheEnd)))
  // Time to send again what failed must be left when the cases come to their end.
  const isCut = (): boolean => isClosed() || (phase === 'cases' && isPast(clock.lastCases()))
  const timer = setInterval(() => {
    if (waiting.size === 0 || !isCut()) return
    const all = [...waiting]
    waiting.clear()
    for (const listener of all) listener()
  }, checkedEvery)
  timer.unref()
  return {
    refusal: request => (isClosed() ? 'the run had to end' : gate(request)),
    isClosed,
    openForRepetition: () => {
      phase = 'repetition'
    },
    openForCleanUp: () => {
      phase = 'clean-up'
    },
    onEnd: listener => {
      waiting.add(listener)
      return () => waiting.delete(listener)
    },
    close: () => {
      phase = 'end'
      clearInterval(timer)
    },
  }
}

/** When a share of the time that is left until then will have passed; null: never. */
export const partOfTime = (end: number | null, share: number): number | null => {
  const now = performance.now()
  return end === null ? null : now + Math.min(1, share) * (end - now)
}

/** Tells when a share of the time that is left until then has passed; without a limit of time, never. */
export const timeFor = (end: number | null, share: number): (() => boolean) => {
  const until = partOfTime(end, share)
  return () => isPast(until)
}

/** `left`: requests that may be sent; `end`: when their time is up, in milliseconds on the clock of `performance.now`; null: never. */
export const createBudget = (left: number, end: number | null): Budget => {
  const requests = { left }
  const until = (time: number | null): Budget => ({
    get left() {
      return requests.left
    },
    set left(number) {
      requests.left = number
    },
    isOver: () => isPast(time),
    share: share => until(partOfTime(time, share)),
  })
  return until(end)
}
