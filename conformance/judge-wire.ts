import { describeAnswer, type Flaw, isRefusal, isSuccess, type Outcome, type Trace } from '../spec/index.ts'
import type { Case } from './case.ts'
import type { Model } from './model.ts'
import { wireKindOf } from './wire.ts'

/**
 * Holds the answer to oddly framed bytes to what HTTP says of them. What the contract says is not asked for: a server
 * that cannot read a request may answer it before anything that knows of the contract.
 */
export const judgeWire = (model: Model, asked: Case, outcome: Outcome): Flaw | null => {
  const { id, subject } = asked.obligation
  const kind = subject.kind === 'wire' ? wireKindOf(subject.name) : null
  if (kind === null) return null
  const flaw = (wanted: string, got: string): Flaw => ({ id, wanted, got })
  const taken = 'what a valid request is answered with'
  if (outcome.kind === 'failure') {
    const silent = ['reset', 'timeout', 'malformed'].includes(outcome.failure)
    const needed = ['accepted', 'continued', 'in-order', 'closed'].includes(kind.check)
    return silent && needed ? flaw(taken, outcome.detail) : null
  }
  const { answer } = outcome
  const trace = outcome.trace ?? untraced
  const got = describeAnswer(answer)
  const isTaken = isAccepted(model, answer.status)
  switch (kind.check) {
    case 'refused':
      return answer.status >= 200 && answer.status < 300
        ? flaw('400, or the end of the connection', got)
        : null
    case 'accepted':
      return isTaken ? null : flaw(taken, got)
    case 'survived':
      return answer.status >= 500 ? flaw('an answer, or a 4xx', got) : null
    case 'continued':
      if (!trace.early) return flaw('100 Continue or a final answer, before the body is sent', 'neither')
      return isTaken || trace.interim.length === 0 ? null : flaw(taken, got)
    case 'closed':
      if (!isTaken) return flaw(taken, got)
      return trace.closed ? null : flaw('the end of the connection', 'a connection that stays open')
    case 'alone':
      return trace.statuses.length > 1 && isTaken
        ? flaw(
            'the end of the connection after the first answer',
            `answers to both: ${trace.statuses.join(', ')}`,
          )
        : null
    case 'in-order': {
      const [first = 0, second] = trace.statuses
      if (!isAccepted(model, first)) return flaw(`${taken}, first`, got)
      if (second === undefined)
        return trace.closed ? null : flaw('a second answer, or the end of the connection', 'neither')
      return isRefusal(model.operation, 'body', second, 'declared') || second >= 400
        ? null
        : flaw('a refusal of the second request, second', `${first}, then ${second}`)
    }
    case 'plain': {
      const chunks = answer.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
      if (chunks) return flaw('an answer without Transfer-Encoding', 'Transfer-Encoding')
      return trace.interim.length > 0 ? flaw('no interim answer', `${trace.interim.join(', ')}`) : null
    }
    case 'observed':
      return null
  }
}

const untraced: Trace = { statuses: [], interim: [], early: false, closed: false }

// As for any valid request: what a path names need not be there.
const isAccepted = ({ operation }: Model, status: number): boolean =>
  isSuccess(operation, status) ||
  (status >= 200 && status < 400) ||
  (status === 404 && operation.path.includes('{'))
