import type { Operation } from '../contract/contract.ts'
import { responseFor } from '../contract/response-for.ts'
import type { UnauthenticatedPolicy } from '../obligations/obligation.ts'
import type { RequestPart } from './request-violation.ts'

/** What a request calls for: `either` if the contract does not say. */
export type Expectation = 'accept' | 'reject' | 'either'

const order: Readonly<Record<RequestPart, readonly string[]>> = {
  credentials: ['401', '403', '400', '4XX', 'default'],
  media: ['415', '400', '422', '4XX', 'default'],
  body: ['400', '422', '4XX', 'default'],
  // A wrong path parameter names nothing, so servers answer 404 to it.
  parameter: ['400', '422', '4XX', 'default', '404'],
}

/** Statuses that are about something else than an invalid request. */
const others = /^(40[1345678]|41[0-46-9]|42[0134-9]|43|45|5)/

/** The declared failures that fit a cause, the best one first; empty if the operation declares none. */
export const rejectionStatuses = (operation: Operation, cause: RequestPart): readonly string[] => {
  const declared = operation.responses.map(({ status }) => status)
  const fitting = order[cause].filter(status => declared.includes(status))
  return fitting.length > 0 ? fitting : declared.filter(status => /^4/.test(status) && !others.test(status))
}

/** Whether a status is a right rejection for this cause. */
export const isRejection = (
  operation: Operation,
  cause: RequestPart,
  status: number,
  policy: UnauthenticatedPolicy,
): boolean => {
  if (cause === 'credentials' && status === 401 && policy !== 'declared') return true
  if (status < 400 || status > 499) return false
  // The contract declares no response at all (OpenAPI 3.1 allows that): any rejection will do.
  if (operation.responses.length === 0) return true
  const declared = responseFor(operation, status)
  if (declared === null) return false
  if (cause === 'credentials' && policy === '401' && !rejectionStatuses(operation, cause).includes('401'))
    return false
  const fitting = rejectionStatuses(operation, cause)
  return fitting.length === 0 || fitting.includes(declared.status)
}

/** Whether a status is a declared success. */
export const isSuccess = (operation: Operation, status: number): boolean =>
  (responseFor(operation, status) !== null || operation.responses.length === 0) &&
  status >= 200 &&
  status < 400

/** The rejection to expect: «400 or 422, a declared failure». */
export const rejectionText = (
  operation: Operation,
  cause: RequestPart,
  policy: UnauthenticatedPolicy,
): string => {
  const allowed = cause === 'credentials' && policy !== 'declared' ? ['401'] : []
  const declared = cause === 'credentials' && policy === '401' ? [] : rejectionStatuses(operation, cause)
  const statuses = [...new Set([...declared, ...allowed])]
  return statuses.length === 0 ? 'a 4xx status' : `${statuses.join(' or ')}, a declared failure`
}

/** The success to expect: «200, a declared success». */
export const successText = (operation: Operation): string => {
  const statuses = operation.responses
    .map(({ status }) => status)
    .filter(status => /^[23]/.test(status) || status === 'default')
  return statuses.length === 0 ? 'a 2xx status' : `${statuses.join(' or ')}, a declared success`
}
