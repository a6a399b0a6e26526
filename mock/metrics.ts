import type { Breach, Family } from '../spec/index.ts'
import type { Composed } from './compose.ts'
import type { MockRequest } from './engine.ts'

/** Upper bounds of the durations that are told apart, in seconds. */
export const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * What the contract has to say of a request: the family of the first obligation that it broke, or `valid`. `undeclared`:
 * it is of no operation; `unreadable`: it is no HTTP.
 */
export type Standing = 'valid' | Family | 'too-large' | 'undeclared' | 'unreadable'

/** Requests of one operation that were answered, or of none (null). */
export type Tally = {
  readonly operation: string | null
  /** How many answers there were, by standing and status. */
  readonly answers: ReadonlyMap<Standing, ReadonlyMap<number, number>>
  /** What they broke, by family and cause: `refuse body`. */
  readonly breaches: ReadonlyMap<string, number>
  /** Durations that fell below each of the bounds and above the one before it; the last: above all. */
  readonly durations: readonly number[]
  /** Their sum, in seconds. */
  readonly seconds: number
}

/** What was counted since the start. Bytes are those of bodies. */
export type Counts = {
  readonly tallies: readonly Tally[]
  readonly inFlight: number
  readonly connections: number
  readonly received: number
  readonly sent: number
}

export type Metrics = {
  readonly counts: () => Counts
  /** Called before a request is answered, */
  readonly began: (request: MockRequest) => void
  /** and then with the answer and the milliseconds that it took, */
  readonly answered: (request: MockRequest, answer: Composed, ms: number) => void
  /** or where there was none. */
  readonly failed: () => void
  /** A connection was opened (1) or closed (-1). */
  readonly connected: (change: 1 | -1) => void
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Growing = Writable<Omit<Tally, 'answers' | 'breaches' | 'durations'>> & {
  readonly answers: Map<Standing, Map<number, number>>
  readonly breaches: Map<string, number>
  readonly durations: number[]
}

/** Counts in plain numbers: this stands in the way of every request. */
export const createMetrics = (): Metrics => {
  const tallies = new Map<string | null, Growing>()
  let inFlight = 0
  let connections = 0
  let received = 0
  let sent = 0
  const tallyOf = (operation: string | null): Growing => {
    const known = tallies.get(operation)
    if (known !== undefined) return known
    const durations = Array<number>(bounds.length + 1).fill(0)
    const made: Growing = { operation, answers: new Map(), breaches: new Map(), durations, seconds: 0 }
    tallies.set(operation, made)
    return made
  }
  const answered: Metrics['answered'] = (request, answer, ms) => {
    inFlight -= 1
    const { judged } = answer
    const tally = tallyOf(judged?.operation.id ?? null)
    const standing = standingOf(request, answer)
    let statuses = tally.answers.get(standing)
    if (statuses === undefined) {
      statuses = new Map()
      tally.answers.set(standing, statuses)
    }
    add(statuses, answer.status)
    // Of a body that was not read nobody knows what it breaks.
    if (judged !== undefined && standing !== 'too-large')
      for (const breach of judged.breaches) add(tally.breaches, `${familyOf(breach)} ${breach.cause}`)
    const seconds = ms / 1000
    tally.seconds += seconds
    let slot = 0
    while (slot < bounds.length && seconds > (bounds[slot] as number)) slot += 1
    tally.durations[slot] = (tally.durations[slot] as number) + 1
    sent += answer.body.length
  }
  return {
    counts: () => ({ tallies: [...tallies.values()], inFlight, connections, received, sent }),
    began: ({ body }) => {
      inFlight += 1
      received += body?.length ?? 0
    },
    answered,
    failed: () => {
      inFlight -= 1
    },
    connected: change => {
      connections += change
    },
  }
}

const add = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const standingOf = ({ unreadable, tooLarge }: MockRequest, { judged }: Composed): Standing => {
  if (unreadable !== undefined) return 'unreadable'
  if (judged === undefined) return 'undeclared'
  const [first] = judged.breaches
  if (tooLarge && first?.cause !== 'credentials') return 'too-large'
  return first === undefined ? 'valid' : familyOf(first)
}

/** The family of the obligations that requests break: credentials have one of their own. */
const familyOf = ({ cause }: Breach): Family => (cause === 'credentials' ? 'bearer' : 'refuse')
