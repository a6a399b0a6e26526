import type { Operation } from '../contract/contract.ts'
import { type RequestPart, rejectionStatuses, successStatuses } from '../contract/rejection-statuses.ts'
import { type HttpResponse, header } from '../http/exchange.ts'
import type { UnauthenticatedPolicy } from '../obligations/obligation.ts'
import { isLogInName } from '../resources/names.ts'
import { responseFor } from '../routes/response-for.ts'

/** What a request calls for: `either` if the contract does not say. */
export type Expectation = 'accept' | 'reject' | 'either'

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
  // If the path names nothing, it is the body that speaks of what does not exist, whatever else is wrong with it.
  if (cause === 'body' && declared.status === '404' && !operation.path.includes('{')) return true
  const fitting = rejectionStatuses(operation, cause)
  return fitting.length === 0 || fitting.includes(declared.status)
}

/** Where a response leads: the path of its Location; null if it is no redirect. */
export const redirectPath = ({
  status,
  headers,
}: Pick<HttpResponse, 'status' | 'headers'>): string | null => {
  const location = header(headers, 'location')
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, 'http://host.invalid'))
    return null
  return new URL(location, 'http://host.invalid').pathname
}

/** Whether a response leads to the path of its request with a slash more at the end, or one less; `target`: that of the request, below the base path. */
export const differsBySlash = (target: string, response: HttpResponse): boolean => {
  const leadsTo = redirectPath(response)
  const path = target.split('?')[0] ?? ''
  return (
    leadsTo !== null &&
    path.length > 1 &&
    path.endsWith('/') !== leadsTo.endsWith('/') &&
    leadsTo.replace(/\/$/, '').endsWith(path.replace(/\/$/, ''))
  )
}

/** Whether a response leads to where people log in, by the names in its path. */
export const leadsToLogIn = (response: HttpResponse): boolean =>
  redirectPath(response)
    ?.split('/')
    .some(part => isLogInName(part.replace(/\.\w+$/, ''))) === true

/**
 * Whether a redirect keeps out a request without credentials or with wrong ones. A redirect that the document does not declare is not what
 * the request asked for; one that it declares may be, unless it leads to a login.
 */
export const keepsOutByRedirect = (operation: Operation, response: HttpResponse): boolean =>
  redirectPath(response) !== null &&
  (leadsToLogIn(response) ||
    (responseFor(operation, response.status) === null && successStatuses(operation).length > 0))

/** Whether a status is a declared success, or any success if none is declared. */
export const isSuccess = (operation: Operation, status: number): boolean =>
  (responseFor(operation, status) !== null || successStatuses(operation).length === 0) &&
  status >= 200 &&
  status < 400

/** Whether the server did what was asked. What it answers with an undeclared 2xx is done all the same. */
export const isCarriedOut = (operation: Operation, status: number): boolean =>
  isSuccess(operation, status) || (status >= 200 && status < 300)

/** The rejection to expect: «400 or 422, a declared failure». */
export const rejectionText = (
  operation: Operation,
  causes: readonly RequestPart[],
  policy: UnauthenticatedPolicy,
): string => {
  const allowed = causes.includes('credentials') && policy !== 'declared' ? ['401'] : []
  const declared = causes.flatMap(cause =>
    cause === 'credentials' && policy === '401' ? [] : rejectionStatuses(operation, cause),
  )
  const statuses = [...new Set([...declared, ...allowed])]
  return statuses.length === 0 ? 'a 4xx status' : `${statuses.join(' or ')}, a declared failure`
}

/** The success to expect: «200, a declared success». */
export const successText = (operation: Operation): string => {
  const statuses = successStatuses(operation)
  return statuses.length === 0 ? 'a 2xx status' : `${statuses.join(' or ')}, a declared success`
}
