import {
  answeredQuestion,
  type ExchangeEvent,
  type Headers,
  isObject,
  type Ledger,
  type RecordedObligation,
  readJson,
  recordedBytes,
} from '../../spec/index.ts'

/** A rejection as a server sent it. */
export type LearntAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** A rejection of which only this is known; `code`: the one in its body, null if that depends on the request. */
export type LearntFailure = { readonly status: number; readonly code: number | null }

export type LearntRejection = LearntAnswer | LearntFailure

/** How a server answers what the contract leaves open, from the ledger of a run against it or from pins. */
export type Learnt = {
  /** The server that was tested, or the file of the pins. */
  readonly target: string
  /** By obligation, or the beginning of its id, how requests are rejected that break it; by open question, how most of them are. */
  readonly rejections: ReadonlyMap<string, LearntRejection>
  /** The operations whose successes have what was sent without being declared. */
  readonly echoing: ReadonlySet<string>
  /** By operation, milliseconds in which most valid requests were answered. */
  readonly delays: ReadonlyMap<string, readonly [from: number, to: number]>
  /** Open questions whose answer a mock cannot give, and why. */
  readonly notLearnt: readonly string[]
}

/** Learns from a run. What broke the contract is not taken over. */
export const learnFrom = ({ start, exchanges }: Ledger): Learnt => {
  const obligations = new Map(start.obligations.map(each => [each.id, each]))
  const groups = new Map<string, ExchangeEvent[]>()
  for (const exchange of exchanges) {
    const obligation = obligations.get(exchange.obligation)
    if (obligation === undefined || exchange.failed.length > 0) continue
    for (const key of keysOf(exchange, obligation)) {
      const group = groups.get(key) ?? []
      groups.set(key, group)
      group.push(exchange)
    }
  }
  const rejections = new Map<string, LearntAnswer>()
  const echoing = new Set<string>()
  const notLearnt: string[] = []
  for (const [key, group] of groups) {
    const usual = usualRejection(group)
    const isOwn = group.every(({ obligation }) => obligation === key)
    const problem = key.includes('/unspecified/') && isOwn ? problemOf(group, usual) : null
    if (isEchoed(key, group)) echoing.add(obligations.get(key)?.operation ?? '')
    if (problem !== null) notLearnt.push(`${key}: ${problem}`)
    else if (usual !== null) rejections.set(key, usual)
  }
  return { target: start.target, rejections, echoing, delays: delaysIn(exchanges, obligations), notLearnt }
}

/** What an exchange teaches about: its own obligation, those with the same beginning, and the question that all such rejections answer. */
const keysOf = ({ expectation }: ExchangeEvent, obligation: RecordedObligation): readonly string[] => {
  if (obligation.family === 'unspecified') return [obligation.id]
  const question = expectation === 'reject' ? answeredQuestion(obligation) : null
  return question === null ? [] : [...beginningsOf(obligation.id), question]
}

/** An id and its beginnings, the longest first: `createPlant/request/body/json/truncated`, `createPlant/request/body/json`, … */
export const beginningsOf = (id: string): readonly string[] => {
  const steps = id.split('/')
  return steps.slice(2).map((_, index) => steps.slice(0, steps.length - index).join('/'))
}

const isRejected = ({ outcome }: ExchangeEvent): boolean =>
  outcome.kind === 'response' && outcome.status >= 400

/** Why the answer to a question of its own cannot be given by rule; null: it can, or the mock answers so anyway. */
const problemOf = (group: readonly ExchangeEvent[], usual: LearntAnswer | null): string | null => {
  const rejected = group.filter(isRejected).length
  if (rejected === 0) return null
  if (rejected < group.length) return 'the server accepts some such requests, and rejects others'
  return usual === null ? 'the body of the response is not recorded whole' : null
}

const isEchoed = (key: string, group: readonly ExchangeEvent[]): boolean =>
  key.endsWith('/undeclared-property') &&
  group.every(({ outcome }) => outcome.kind === 'response' && outcome.body.data.includes('"undeclared"'))

/** The first of the rejections that are most frequent: with the same status and the same numbers in the body. */
const usualRejection = (group: readonly ExchangeEvent[]): LearntAnswer | null => {
  const rejections = group.flatMap(({ outcome }): readonly LearntAnswer[] => {
    const body = outcome.kind === 'response' && outcome.status >= 400 ? recordedBytes(outcome.body) : null
    return outcome.kind !== 'response' || body === null
      ? []
      : [{ status: outcome.status, headers: outcome.headers, body }]
  })
  const kinds = Map.groupBy(rejections, ({ status, body }) => `${status} ${numbersIn(body)}`)
  const [most] = [...kinds.values()].toSorted((left, right) => right.length - left.length)
  return most?.[0] ?? null
}

const numbersIn = (body: Uint8Array): string => {
  const reading = readJson(body)
  if (!reading.ok || !isObject(reading.value)) return ''
  return JSON.stringify(Object.entries(reading.value).filter(([, value]) => typeof value === 'number'))
}

const fewest = 5

/** Between the 5th and the 95th percentile of the successes of each operation. */
const delaysIn = (
  exchanges: readonly ExchangeEvent[],
  obligations: ReadonlyMap<string, RecordedObligation>,
): Learnt['delays'] => {
  const accepted = exchanges.flatMap(({ expectation, obligation, outcome }) => {
    const operation = obligations.get(obligation)?.operation
    return operation === undefined || expectation !== 'accept' || outcome.kind !== 'response'
      ? []
      : [{ operation, ms: outcome.ms }]
  })
  const times = Map.groupBy(accepted, ({ operation }) => operation)
  return new Map(
    [...times].flatMap(([operation, all]) => {
      if (all.length < fewest) return []
      const sorted = all.map(({ ms }) => ms).toSorted((left, right) => left - right)
      const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
      return [[operation, [at(0.05), at(0.95)] as const] as const]
    }),
  )
}
