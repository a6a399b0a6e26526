import type { Contract, Operation } from '../../contract/contract.ts'
import { SelectionError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { TimeMeasure } from '../subject.ts'

/** How long responses to valid requests may take. */
export type ResponseTimeLimit = {
  /** The id of an operation; a limit for one goes before a limit for all. Default: all. */
  readonly operation?: string | undefined
  readonly measure: TimeMeasure
  /** Milliseconds. */
  readonly ms: number
}

/** A limit for the times of an operation that a user has set: no contract has one. Throws SelectionError for an unknown operation. */
export const responseTimeObligations = (
  { operations }: Contract,
  { id, pointer }: Operation,
  limits: readonly ResponseTimeLimit[],
): readonly ObligationSpec[] => {
  for (const { operation } of limits)
    if (operation !== undefined && !operations.some(known => known.id === operation))
      throw new SelectionError(unknownOperation(operation, operations))
  const general = limits.filter(({ operation }) => operation === undefined)
  const own = limits.filter(({ operation }) => operation === id)
  const byMeasure = new Map([...general, ...own].map(({ measure, ms }) => [measure, ms]))
  return [...byMeasure].map(([measure, ms]) => ({
    family: 'response',
    level: 'MUST',
    input: null,
    requirement: `the response to ${shareText(measure)} takes at most ${ms} ms, as set for this run`,
    pointer,
    subject: { kind: 'response-time', measure, ms },
  }))
}

const shareText = (measure: TimeMeasure): string =>
  measure === 'max' ? 'every valid request' : `${measure.slice(1)} of 100 valid requests`

const unknownOperation = (operation: string, operations: readonly Operation[]): string => {
  const ids = operations.map(({ id }) => id)
  const [near] = nearest(operation, ids)
  return `the contract has no operation ${operation} for a response time: ${near === undefined ? `it has ${ids.slice(0, 12).join(', ')}` : `did you mean ${near}?`}`
}
