import type { Contract } from '../contract/contract.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { traceOf } from '../traceability/trace.ts'
import type { StartEvent } from './event.ts'

/** The part of a start event that follows from the contract and its pins. */
export const contractPart = (
  contract: Contract,
  obligations: readonly Obligation[],
): Pick<StartEvent, 'operations' | 'obligations' | 'clauses'> => ({
  operations: contract.operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  obligations: obligations.map(({ id, operation, family, level, requirement, clause, pin }) => {
    const recorded = { id, operation, family, level, requirement, clause }
    return pin?.obligation === id ? { ...recorded, pinned: pin.answers } : recorded
  }),
  clauses: traceOf(contract, obligations),
})

/** The policy `requests` of a run that judged what others sent. */
export const trafficPolicy = 'those of clients, through the proxy'
