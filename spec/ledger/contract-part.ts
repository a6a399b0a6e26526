import type { Contract } from '../contract/contract.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { pathOf } from '../obligations/obligation-id.ts'
import { answeredQuestion } from '../obligations/rejection-question.ts'
import { traceOf } from '../traceability/trace.ts'
import type { StartEvent } from './event.ts'

/** The part of a start event that follows from the contract and its pins. */
export const contractPart = (
  contract: Contract,
  obligations: readonly Obligation[],
): Pick<StartEvent, 'operations' | 'obligations' | 'clauses'> => ({
  operations: contract.operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  obligations: obligations.map(obligation => {
    const { id, operation, family, level, requirement, clause, subject, pin } = obligation
    const question = subject.kind === 'unspecified' ? subject.name : answeredQuestion(obligation)
    return {
      id,
      operation,
      names: pathOf(subject),
      family,
      level,
      requirement,
      clause,
      ...(question === null ? {} : { question }),
      ...(pin?.obligation === id ? { pinned: pin.answers } : {}),
    }
  }),
  clauses: traceOf(contract, obligations),
})

const ofClients = 'the requests of clients, '

/** The policy `requests` of a run that judged what others sent: through the proxy, or as a file has it. */
export const trafficPolicy = (file: string | null): string =>
  ofClients + (file === null ? 'through the proxy' : `in ${file}`)

/** The file of such a run; null: it was the proxy. Undefined: it is no such run. */
export const trafficFile = (policy: string | undefined): string | null | undefined =>
  policy?.startsWith(ofClients) === true
    ? policy === trafficPolicy(null)
      ? null
      : policy.slice(`${ofClients}in `.length)
    : undefined
