import {
  curlCommand,
  describeAnswer,
  type Failure,
  type Finding,
  isSuccess,
  type Obligation,
  type Outcome,
  recordOutcome,
  recordRequest,
  type Secret,
  successWords,
} from '../spec/index.ts'
import type { Asker } from './ask.ts'
import type { Case } from './case.ts'
import type { Model } from './model.ts'

type Part = { readonly model: Model; readonly asker: Asker; readonly obligations: readonly Obligation[] }
/** The asker of an operation, with the identities of another range. */
type Elsewhere = (range: number, operation: string) => Asker

/** An operation that accepts no valid request, and the one finding that says so. */
export type Closed = {
  readonly operation: string
  readonly finding: (base: string, tokens: readonly Secret[]) => Finding
}

export type Open = {
  readonly kind: 'open'
  /** The first range of identities that the server has not seen. */
  readonly range: number
  readonly closed: readonly Closed[]
  /** Valid requests that were not accepted, although others were. */
  readonly misses: readonly (Miss & { readonly operation: string })[]
}

export type Ahead = Open | { readonly kind: 'unreachable'; readonly detail: string }

/**
 * Sends each operation a few plain valid requests before all else. Where none is accepted, one finding points at the
 * likely cause, instead of a hundred that follow from it.
 */
export const preflight = async (parts: readonly Part[], elsewhere: Elsewhere): Promise<Ahead> => {
  const closed: Closed[] = []
  const misses: (Miss & { operation: string })[] = []
  let range = 0
  for (const { model, asker, obligations } of parts) {
    const valid = obligations.find(({ subject }) => subject.kind === 'valid')
    if (valid === undefined || model.unsupported !== null) continue
    const first = asker.golden(valid, 'plain')
    const came = await asker.send(first)
    if (isOpenTo(model, came)) continue
    const free = await freeRange(model, asker, elsewhere, first, came)
    if (free !== null) {
      range = Math.max(range, free)
      continue
    }
    const further = await knock(model, asker, valid)
    if (further.kind === 'open') {
      const all = [{ asked: first, outcome: came }, ...further.misses]
      misses.push(...all.map(miss => ({ operation: model.operation.id, ...miss })))
      continue
    }
    const { outcome, asked } = further
    if (outcome.kind === 'failure' && silent.includes(outcome.failure))
      return { kind: 'unreachable', detail: outcome.detail }
    closed.push({
      operation: model.operation.id,
      finding: (base, tokens) => closedFinding(model, valid, asked, outcome, base, tokens),
    })
  }
  return { kind: 'open', range, closed, misses }
}

/**
 * The first range of identities whose values the server takes, where a plain request is refused for its identity
 * alone: again when it is sent again, but not with another one. Null where that is not the reason.
 */
const freeRange = async (
  model: Model,
  asker: Asker,
  elsewhere: Elsewhere,
  asked: Case,
  outcome: Outcome,
): Promise<number | null> => {
  if (model.identity === null || outcome.kind !== 'answer' || isOpenTo(model, await asker.send(asked)))
    return null
  for (let range = 1; range <= rangesTried; range++) {
    const other = elsewhere(range, model.operation.id)
    if (isOpenTo(model, await other.send(other.golden(asked.obligation, 'plain')))) return range
  }
  return null
}

/** Runs with one seed on one store that it is worth looking for a free range for. */
const rangesTried = 12

const silent: readonly Failure[] = ['refused', 'unreachable', 'timeout']

const isTimeout = (outcome: Outcome): boolean => outcome.kind === 'failure' && outcome.failure === 'timeout'

// Where the head of an answer came and its body broke off, the request was accepted all the same.
const isOpenTo = (model: Model, outcome: Outcome): boolean => {
  const status = outcome.kind === 'answer' ? outcome.answer.status : outcome.status
  return status !== null && isOpen(model, status)
}

type Miss = { readonly asked: Case; readonly outcome: Outcome }

/** `misses`: valid requests that were not accepted before one was. */
type Knock =
  | { readonly kind: 'open'; readonly misses: readonly Miss[] }
  | ({ readonly kind: 'closed' } & Miss)

// A server may stumble over the first request, over one that gives all or nothing of what is optional, or over what all plain ones
// have in common, such as lists of one item.
const knocks = ['rich', 'plain', 'rich', 'plain', 'random', 'random', 'random'] as const

/** Sends valid requests until one is accepted. */
export const knock = async (model: Model, asker: Asker, valid: Obligation): Promise<Knock> => {
  const misses: Miss[] = []
  for (const kind of knocks) {
    const asked = asker.golden(valid, kind)
    const outcome = await asker.send(asked)
    if (isOpenTo(model, outcome)) return { kind: 'open', misses }
    misses.push({ asked, outcome })
    // Each costs the whole timeout, and two of them say that nobody answers.
    if (misses.filter(miss => isTimeout(miss.outcome)).length > 1) break
  }
  return { kind: 'closed', ...(misses.at(-1) as Miss) }
}

// Any 2xx or 3xx is an acceptance, and where a path names what need not be there, a 404 tells as little as a 200.
const isOpen = ({ operation }: Model, status: number): boolean =>
  isSuccess(operation, status) ||
  (status >= 200 && status < 400) ||
  (status === 404 && operation.path.includes('{'))

const closedFinding = (
  { operation }: Model,
  valid: Obligation,
  asked: Case,
  outcome: Outcome,
  base: string,
  tokens: readonly Secret[],
): Finding => ({
  type: 'finding',
  id: 'first',
  obligation: valid.id,
  level: valid.level,
  also: [],
  wanted: successWords(operation),
  got: outcome.kind === 'answer' ? describeAnswer(outcome.answer) : outcome.detail,
  repeat: 'steady',
  cases: knocks.length,
  expected: 'accepted',
  request: recordRequest(asked.request, 65_536),
  outcome: recordOutcome(outcome, tokens, 65_536),
  curl: curlCommand(asked.request, base),
  hint: closedHint(outcome),
})

const closedHint = (outcome: Outcome): string => {
  if (outcome.kind === 'failure')
    return 'no valid request is answered: is this the right server, and is it well?'
  const { status } = outcome.answer
  if (status === 401 || status === 403)
    return 'every valid request is refused for its credentials: give the right token with --token or PLANTSTORE_TOKEN'
  if (status === 404 || status === 405) return 'the operation is not found there: is the base URL right?'
  if (status >= 500) return 'the server fails on every valid request: look at its log'
  return 'every valid request is refused: is the token right (--token, PLANTSTORE_TOKEN), and does the server ask for more than its contract says?'
}
