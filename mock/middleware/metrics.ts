import type { Family, RequestViolation } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context } from '../engine/context.ts'

/** Upper bounds of the buckets of durations, in seconds. */
export const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * What the contract says of a request: `valid`, or the family of the first obligation that it breaks. `too-large`: its
 * body was not read; `undeclared`: it is for no operation; `unreadable`: it is not HTTP.
 */
export type RequestClass = 'valid' | Family | 'too-large' | 'undeclared' | 'unreadable'

/** Counts of the requests for one operation, or for none (null). */
export type OperationCounts = {
  readonly operation: string | null
  /** Responses, by the class of the request and by status. */
  readonly responses: ReadonlyMap<RequestClass, ReadonlyMap<number, number>>
  /** Violations, by family and part of the request: `reject body`. */
  readonly violations: ReadonlyMap<string, number>
  /** Durations up to each of the bounds and above the one before it; the last: above all. */
  readonly durations: readonly number[]
  /** Their sum, in seconds. */
  readonly seconds: number
}

/** Counts since the start. Bytes are those of bodies. */
export type Counts = {
  readonly operations: readonly OperationCounts[]
  readonly inFlight: number
  readonly connections: number
  readonly received: number
  readonly sent: number
}

export type Metrics = {
  readonly counts: () => Counts
  /** Each request begins, and then either ends with a response, after some milliseconds, or fails. */
  readonly began: () => void
  readonly ended: (context: Context, response: MockResponse, ms: number) => void
  readonly failed: () => void
  /** A connection was opened (1) or closed (-1). */
  readonly connected: (change: 1 | -1) => void
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Growing = Mutable<Omit<OperationCounts, 'responses' | 'violations' | 'durations'>> & {
  readonly responses: Map<RequestClass, Map<number, number>>
  readonly violations: Map<string, number>
  readonly durations: number[]
}

/** Counts in plain numbers: this runs for every request. */
export const createMetrics = (): Metrics => {
  const operations = new Map<string | null, Growing>()
  let inFlight = 0
  let connections = 0
  let received = 0
  let sent = 0
  const countsFor = (operation: string | null): Growing => {
    const known = operations.get(operation)
    if (known !== undefined) return known
    const durations = Array<number>(bounds.length + 1).fill(0)
    const made: Growing = { operation, responses: new Map(), violations: new Map(), durations, seconds: 0 }
    operations.set(operation, made)
    return made
  }
  return {
    counts: () => ({ operations: [...operations.values()], inFlight, connections, received, sent }),
    began: () => {
      inFlight += 1
    },
    ended: (context, response, ms) => {
      inFlight -= 1
      received += context.received.body?.length ?? 0
      sent += response.body.length
      count(countsFor(context.judged?.operation.id ?? null), context, response.status, ms / 1000)
    },
    failed: () => {
      inFlight -= 1
    },
    connected: change => {
      connections += change
    },
  }
}

const count = (counts: Growing, context: Context, status: number, seconds: number): void => {
  const kind = classOf(context)
  let statuses = counts.responses.get(kind)
  if (statuses === undefined) {
    statuses = new Map()
    counts.responses.set(kind, statuses)
  }
  add(statuses, status)
  // Nobody knows what a body breaks that was not read.
  if (context.judged !== null && kind !== 'too-large')
    for (const violation of context.judged.violations)
      add(counts.violations, `${familyOf(violation)} ${violation.part}`)
  counts.seconds += seconds
  let bucket = 0
  while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
  counts.durations[bucket] = (counts.durations[bucket] as number) + 1
}

const add = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const classOf = ({ received, judged }: Context): RequestClass => {
  if (received.unreadable !== undefined) return 'unreadable'
  if (judged === null) return 'undeclared'
  const [first] = judged.violations
  if (received.tooLarge && first?.part !== 'credentials') return 'too-large'
  return first === undefined ? 'valid' : familyOf(first)
}

/** The family of the obligation that a request breaks; credentials have their own. */
const familyOf = ({ part }: RequestViolation): Family => (part === 'credentials' ? 'auth' : 'reject')
