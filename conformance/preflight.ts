import {
  curlCommand,
  describeAnswer,
  type Finding,
  isSuccess,
  type Obligation,
  type Outcome,
  recordOutcome,
  recordRequest,
  successWords,
} from '../spec/index.ts'
import type { Asker } from './ask.ts'
import type { Case } from './case.ts'
import type { Model } from './model.ts'

type Part = {
  readonly model: Model
  readonly asker: Asker
  readonly other: () => Asker
  readonly obligations: readonly Obligation[]
}

/** An operation that accepts no valid request, and the one finding that says so. */
export type Closed = { readonly operation: string; readonly finding: (base: string) => Finding }

export type Ahead =
  | { readonly kind: 'open'; readonly closed: readonly Closed[] }
  /** The first range of identities is taken: another one is accepted. */
  | { readonly kind: 'spent'; readonly closed: readonly Closed[] }
  | { readonly kind: 'unreachable'; readonly detail: string }

/**
 * Sends each operation a few plain valid requests before all else. Where none is accepted, one finding points at the
 * likely cause, instead of a hundred that follow from it.
 */
export const preflight = async (parts: readonly Part[]): Promise<Ahead> => {
  const closed: Closed[] = []
  let spent = false
  for (const { model, asker, other, obligations } of parts) {
    const valid = obligations.find(({ subject }) => subject.kind === 'valid')
    if (valid === undefined) continue
    const first = await knock(model, asker, valid)
    if (first.kind === 'open') continue
    if (
      first.outcome.kind === 'failure' &&
      (first.outcome.failure === 'refused' || first.outcome.failure === 'unreachable')
    )
      return { kind: 'unreachable', detail: first.outcome.detail }
    if (
      model.identity !== null &&
      first.outcome.kind === 'answer' &&
      (await knock(model, other(), valid)).kind === 'open'
    )
      spent = true
    else
      closed.push({
        operation: model.operation.id,
        finding: base => closedFinding(model, valid, first.asked, first.outcome, base),
      })
  }
  return { kind: spent ? 'spent' : 'open', closed }
}

type Knock =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly asked: Case; readonly outcome: Outcome }

const knocks = 3

const knock = async (model: Model, asker: Asker, valid: Obligation): Promise<Knock> => {
  let last: Knock = { kind: 'open' }
  for (let time = 0; time < knocks; time++) {
    const asked = asker.golden(valid)
    const outcome = await asker.send(asked)
    if (outcome.kind === 'answer' && isOpen(model, outcome.answer.status)) return { kind: 'open' }
    last = { kind: 'closed', asked, outcome }
  }
  return last
}

// Any 2xx is an acceptance, and where a path names what need not be there, a 404 tells as little as a 200.
const isOpen = ({ operation }: Model, status: number): boolean =>
  isSuccess(operation, status) ||
  (status >= 200 && status < 300) ||
  (status === 404 && operation.path.includes('{'))

const closedFinding = (
  { operation }: Model,
  valid: Obligation,
  asked: Case,
  outcome: Outcome,
  base: string,
): Finding => ({
  type: 'finding',
  id: 'first',
  obligation: valid.id,
  level: valid.level,
  also: [],
  wanted: successWords(operation),
  got: outcome.kind === 'answer' ? describeAnswer(outcome.answer) : outcome.detail,
  repeat: 'steady',
  cases: knocks,
  expected: 'accepted',
  request: recordRequest(asked.request, 65_536),
  outcome: recordOutcome(outcome, [], 65_536),
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
