import {
  type Contract,
  createsByName,
  declaresRejection,
  type GivenCredentials,
  type HttpResponse,
  header,
  isCarriedOut,
  isJsonMedia,
  isRejection,
  isSuccess,
  keepsOutByRedirect,
  mediaType,
  type Obligation,
  type Operation,
  type Outcome,
  type RequestPart,
  rejectionText,
  resourcesOf,
  responseFor,
  type StatusPolicy,
  statusOf,
  successStatuses,
  successText,
  takesMedia,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { lacksUndeclared, type TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import { isPage } from './server-words.ts'

/** What a case expects, in words. */
export const expectedText = (
  { operation }: OperationModel,
  testCase: TestCase,
  policy: StatusPolicy,
): string => {
  switch (testCase.expectation) {
    case 'accept':
      return successText(operation)
    case 'reject':
      return rejectionText(operation, causesOf(testCase), policyFor(testCase, policy))
    case 'either':
      return 'a response'
  }
}

/** Whether a status is one that a case expects. */
export const isExpected = (
  { operation, contract }: OperationModel,
  testCase: TestCase,
  status: number,
  policy: StatusPolicy,
): boolean => {
  const { expectation } = testCase
  const isDeclared = responseFor(operation, status) !== null
  switch (expectation) {
    case 'either':
      return true
    case 'reject':
      // `response/declared` reports an undeclared 4xx, once for all cases.
      return (
        causesOf(testCase).some(cause =>
          isRejection(operation, cause, status, policyFor(testCase, policy)),
        ) ||
        (!isDeclared && status >= 400 && status < 500) ||
        // What no ETag looks like is none that the resource has.
        (status >= 400 && answersCondition(testCase, status))
      )
    case 'accept':
      return (
        isSuccess(operation, status) ||
        (!isDeclared && status >= 200 && status < 400) ||
        answersCondition(testCase, status) ||
        // Nothing says that it exists. If the status is not declared, that is another matter.
        (isMissing(operation, status) && testCase.chain?.exists !== true) ||
        (isAbsence(status) && isRemovable(contract, operation))
      )
  }
}

/** Whether a status says that a condition of the request does not hold: of what a client has or expects (RFC 9110 13, 14). */
export const answersCondition = ({ request }: TestCase, status: number): boolean =>
  (conditions.get(status) ?? []).some(name => header(request.headers, name) !== null)

const conditions: ReadonlyMap<number, readonly string[]> = new Map([
  [304, ['if-none-match', 'if-modified-since']],
  [412, ['if-match', 'if-none-match', 'if-unmodified-since']],
  [416, ['range']],
])

/** Whether a server keeps out who has no right credentials by leading them elsewhere, as to the page of a login. */
export const isKeptOut = (
  { operation }: OperationModel,
  { cause, expectation }: TestCase,
  response: HttpResponse,
  { unauthenticated }: StatusPolicy,
): boolean =>
  cause === 'credentials' &&
  expectation === 'reject' &&
  unauthenticated !== '401' &&
  keepsOutByRedirect(operation, response)

/** What a request may be rejected for. Without a body it names no media type either. */
const causesOf = ({ cause, spec, request }: TestCase): readonly RequestPart[] => [
  cause ?? 'body',
  ...(spec.credentials?.kind.invalidBody === true ? (['body'] as const) : []),
  ...(cause === 'body' && header(request.headers, 'content-type') === null ? (['media'] as const) : []),
]

/** If credentials are malformed, or the body is invalid as well, the declared failure is as right as a 401. */
const policyFor = (
  { spec: { credentials } }: TestCase,
  { unauthenticated }: StatusPolicy,
): UnauthenticatedPolicy =>
  unauthenticated === '401' &&
  (credentials?.kind.malformed === true || credentials?.kind.invalidBody === true)
    ? 'either'
    : unauthenticated

/** What a path names need not exist. */
const isMissing = ({ path }: Operation, status: number): boolean => isAbsence(status) && path.includes('{')

/** Whether another request of the run may have removed the only resource of a path: `DELETE /me/avatar`. */
const isRemovable = ({ operations }: Contract, { path, method }: Operation): boolean =>
  method !== 'PUT' &&
  method !== 'POST' &&
  !path.includes('{') &&
  operations.some(each => each.method === 'DELETE' && each.path === path)

/** Whether a response keeps somebody out who has no right to what is there: or says that it is not there, or leads elsewhere. */
export const isRefusal = (outcome: Outcome): boolean =>
  outcome.kind === 'response' &&
  (outcome.response.status === 401 ||
    outcome.response.status === 403 ||
    isAbsence(outcome.response.status) ||
    (outcome.response.status >= 300 && outcome.response.status < 400))

/** Whether a status is right for the credentials of a case by the policy alone, without a declaration in the document. */
export const isAllowedByPolicy = (
  { operation }: OperationModel,
  { cause }: TestCase,
  status: number | null,
  { unauthenticated }: StatusPolicy,
): boolean =>
  cause === 'credentials' &&
  status === 401 &&
  unauthenticated !== 'declared' &&
  responseFor(operation, status) === null

/** Whether a case is about a name in its path, which nothing need have. */
export const isOfName = ({ subject }: Obligation): boolean =>
  'location' in subject && subject.location.in === 'path'

/** Whether a case asks for something by a name that nothing is known to have, and does not create what it names. */
export const isOfNothing = ({ contract, operation }: OperationModel, { chain }: TestCase): boolean => {
  if (chain === undefined || chain.exists) return false
  const resource = resourcesOf(contract).namesIn(operation).at(-1)?.resource
  return resource === undefined || !createsByName(resource, operation)
}

/** Whether the document declares nothing for a status that is right for a case: a gap of the document, no fault of the server. */
export const isInGap = (
  operation: Operation,
  testCase: TestCase,
  status: number,
  { unauthenticated, undeclaredFailures }: StatusPolicy,
): boolean => {
  const { expectation, cause, spec, request } = testCase
  if (responseFor(operation, status) !== null || status < 200 || status > 499) return false
  if (status < 400 && successStatuses(operation).length === 0) return true
  const mayBeKeptOut = status >= 300 && expectation === 'reject' && cause === 'credentials'
  if (status < 400 && !mayBeKeptOut) return false
  if (undeclaredFailures === 'fail') return false
  // That the document declares no credentials is told as such.
  if (lacksUndeclared(spec) && [401, 403].includes(status)) return true
  if (expectation === 'accept')
    return isMissing(operation, status)
      ? !declaresRejection(operation, 'parameter')
      : // That it is rejected is the fault, and is told as such: no failure is declared that it could be rejected with.
        !declaresRejection(operation, request.body === null ? 'parameter' : 'body')
  if (cause === 'credentials' && unauthenticated === '401' && status !== 401) return false
  const invalid = [
    cause ?? 'body',
    ...(spec.credentials?.kind.invalidBody === true ? (['body'] as const) : []),
  ]
  return invalid.some(part => !declaresRejection(operation, part))
}

/** Whether a response shows that the server took the request. A 404 shows no less than a 200 if the path names what need not exist. */
export const isTaken = (operation: Operation, status: number, exists: boolean): boolean =>
  (status >= 200 && status < 400) || (!exists && isMissing(operation, status))

/** Whether an outcome shows that the server did what was asked. */
export const hasDone = (operation: Operation, outcome: Outcome): boolean =>
  outcome.kind === 'response' && isCarriedOut(operation, outcome.response.status)

/** What a case sent for credentials. */
export const credentialsGiven = ({ spec: { credentials, extra } }: TestCase): GivenCredentials => {
  if (credentials === null) return 'other'
  const { kind, pick } = credentials
  const values = kind.variants[pick % kind.variants.length] ?? []
  if (values.length === 0 && extra.length === 0) return 'none'
  return kind.needsToken && !kind.malformed ? 'token' : 'other'
}

/** Whether an answer is an HTML page although the operation declares none. */
export const isUndeclaredPage = (operation: Operation, outcome: Outcome): boolean => {
  if (outcome.kind === 'failure') return false
  const type = mediaType(header(outcome.response.headers, 'content-type'))
  if (type !== 'text/html' && type !== 'application/xhtml+xml') return false
  const declared = operation.responses.flatMap(({ media }) => media.map(each => each.type))
  const all = declared.length === 0 ? (operation.produces ?? []) : declared
  return !all.some(each => takesMedia(each, type)) || (all.some(isJsonMedia) && all.every(isRangeOrJson))
}

/** A range takes HTML as well, but beside JSON nobody means it. */
const isRangeOrJson = (type: string): boolean => isJsonMedia(type) || type.includes('*')

/** Whether an answer may be the page that a web app or a framework has for every path without a route. Some servers call their JSON HTML. */
export const isCatchAllPage = (operation: Operation, outcome: Outcome): boolean =>
  isPage(outcome) && isUndeclaredPage(operation, outcome) && statusOf(outcome) < 500

/** Whether an operation did what it was asked for, and this is its response. */
export const hasAnswered = (
  operation: Operation,
  outcome: Outcome,
): outcome is Extract<Outcome, { kind: 'response' }> =>
  outcome.kind === 'response' && hasDone(operation, outcome) && !isCatchAllPage(operation, outcome)
