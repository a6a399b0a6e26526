import type { Cause } from './breach.ts'
import type { Operation } from './contract.ts'
import { clauseOf } from './judge-answer.ts'

/** How missing or wrong credentials are to be answered where the contract does not declare a 401. */
export type Unauthenticated = 'declared' | '401' | 'either'

const order: Readonly<Record<Cause, readonly string[]>> = {
  credentials: ['401', '403', '400', '4XX', 'default'],
  media: ['415', '400', '422', '4XX', 'default'],
  body: ['400', '422', '4XX', 'default'],
  // What a path names is not there when it cannot be named: servers answer 404 to a wrong path parameter.
  parameter: ['400', '422', '4XX', 'default', '404'],
}

/** Statuses that are about something else than the request's own faults. */
const others = /^(40[1345678]|41[0-46-9]|42[0134-9]|43|45|5)/

/** The declared failures that fit a cause, the fittest first; empty where the operation declares none. */
export const refusals = (operation: Operation, cause: Cause): readonly string[] => {
  const declared = operation.responses.map(({ status }) => status)
  const fitting = order[cause].filter(status => declared.includes(status))
  return fitting.length > 0 ? fitting : declared.filter(status => /^4/.test(status) && !others.test(status))
}

/** Whether a status is a right refusal for this cause. */
export const isRefusal = (
  operation: Operation,
  cause: Cause,
  status: number,
  policy: Unauthenticated,
): boolean => {
  if (cause === 'credentials' && status === 401 && policy !== 'declared') return true
  if (status < 400 || status > 499) return false
  // Nothing is said of the answers at all (OpenAPI 3.1 allows that): any refusal will do.
  if (operation.responses.length === 0) return true
  const clause = clauseOf(operation, status)
  if (clause === null) return false
  if (cause === 'credentials' && policy === '401' && !refusals(operation, cause).includes('401')) return false
  const fitting = refusals(operation, cause)
  return fitting.length === 0 || fitting.includes(clause.status)
}

/** Whether a status is a declared success. */
export const isSuccess = (operation: Operation, status: number): boolean => {
  const clause = clauseOf(operation, status)
  return (clause !== null || operation.responses.length === 0) && status >= 200 && status < 400
}

/** `400 application/json with an Error`: a refusal in words. */
export const refusalWords = (operation: Operation, cause: Cause, policy: Unauthenticated): string => {
  const extra = cause === 'credentials' && policy !== 'declared' ? ['401'] : []
  const own = cause === 'credentials' && policy === '401' ? [] : refusals(operation, cause)
  const statuses = [...new Set([...own, ...extra])]
  return statuses.length === 0 ? 'a 4xx status' : `${statuses.join(' or ')}, a declared failure`
}

/** `200, a declared success`. */
export const successWords = (operation: Operation): string => {
  const statuses = operation.responses
    .map(({ status }) => status)
    .filter(status => /^[23]/.test(status) || status === 'default')
  return statuses.length === 0 ? 'a 2xx status' : `${statuses.join(' or ')}, a declared success`
}
