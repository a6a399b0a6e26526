import type { HttpRequest, Operation, Outcome } from '../../spec/index.ts'
import { summary } from '../judge/observation-text.ts'
import { isTheSame } from './api-answer.ts'
import { nowhereFrom, type Way } from './base-url.ts'

/** A plain valid request of an operation, and what came of it. */
export type Tried = {
  readonly operation: Operation
  readonly request: HttpRequest
  readonly outcome: Outcome
}

/** Fewer operations that are missing may be faults of the server. */
const least = 3

/**
 * Why most operations of the document are missing on a server that has others: it may be of another version. Only a 405, or a 404 as the server
 * gives it to any path, shows that one is missing. Null: they are not, or all are.
 */
export const otherVersionProblem = async (way: Way, tried: readonly Tried[]): Promise<string | null> => {
  const lost = tried.filter(({ outcome }) => isStatus(outcome, 404) || isStatus(outcome, 405))
  const [first] = lost
  if (first === undefined || lost.length < least || lost.length * 2 <= tried.length) return null
  const nowhere = nowhereFrom(first.request)
  if (way.refusal(nowhere) !== null) return null
  const answer = await way.send(nowhere)
  const missing = lost.filter(
    ({ request, outcome }) => isStatus(outcome, 405) || isTheSame([request, outcome], [nowhere, answer]),
  )
  if (missing.length < least || missing.length * 2 <= tried.length || missing.length === tried.length)
    return null
  const named = missing
    .slice(0, 2)
    .map(({ operation: { method, path }, outcome }) => `${method} ${path}: ${summary(outcome)}`)
  return `the server does not have ${missing.length} of ${tried.length} operations that were tried (${named.join(', ')}): is the document of another version?`
}

const isStatus = (outcome: Outcome, status: number): boolean =>
  outcome.kind === 'response' && outcome.response.status === status
