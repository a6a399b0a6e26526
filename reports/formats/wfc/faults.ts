import {
  type Finding,
  header,
  isWronglyAccepted,
  type RecordedObligation,
  type RecordedOutcome,
  type RecordedRequest,
} from '../../../spec/index.ts'

/** A category of the fault catalogue of the Web Fuzzing Commons. Ids are stable, and codes can change with its version. */
export type FaultCategory = { readonly id: string; readonly code: number }

/** The categories that a finding can have. */
export const categories = {
  serverError: { id: 'HTTP_STATUS_500', code: 100 },
  unknownStatus: { id: 'HTTP_STATUS_NO_NON_STANDARD_CODES', code: 101 },
  noChallenge: { id: 'HTTP_STATUS_NO_401_IF_NO_WWW_AUTHENTICATE', code: 109 },
  notRemoved: { id: 'HTTP_NONWORKING_DELETE', code: 113 },
  failedWrite: { id: 'HTTP_SIDE_EFFECTS_FAILED_MODIFICATION', code: 114 },
  partialPut: { id: 'HTTP_PARTIAL_UPDATE_PUT', code: 117 },
  repeatedPut: { id: 'HTTP_NON_IDEMPOTENT_PUT', code: 118 },
  mergePatch: { id: 'HTTP_INVALID_MERGE_PATCH', code: 119 },
  otherServerError: { id: 'HTTP_OTHER_STATUS_5XX', code: 121 },
  notCreated: { id: 'HTTP_CREATED_RESOURCE_NOT_FOUND', code: 122 },
  invalidResponse: { id: 'SCHEMA_INVALID_RESPONSE', code: 200 },
  notAcceptable: { id: 'SCHEMA_STATUS_HAS_406_IF_ACCEPT', code: 204 },
  notImplemented: { id: 'SCHEMA_STATUS_NO_501_IF_IMPLEMENTED', code: 205 },
  invalidAccepted: { id: 'SCHEMA_VALIDATION_BYPASS', code: 206 },
  validRejected: { id: 'SCHEMA_VALID_INPUT_REJECTED', code: 207 },
  notRecognised: { id: 'SECURITY_NOT_RECOGNIZED_AUTHENTICATED', code: 305 },
  otherUser: { id: 'SECURITY_INCONSISTENT_WRITE_AUTHORIZATION', code: 306 },
  anonymousWrite: { id: 'SECURITY_ANONYMOUS_MODIFICATIONS', code: 308 },
  noAuthentication: { id: 'SECURITY_DECLARED_AUTH_NOT_ENFORCED', code: 311 },
  timeout: { id: 'SECURITY_CALL_TIMEOUT', code: 312 },
} as const satisfies Readonly<Record<string, FaultCategory>>

/** An exchange as the finding shows it. */
export type Shown = { readonly request: RecordedRequest; readonly outcome: RecordedOutcome }

/** What the answer is by itself, whatever was tested: a server error or none at all; null for any other. */
export const categoryOfAnswer = ({ request, outcome }: Shown): FaultCategory | null => {
  if (outcome.kind === 'failure') return outcome.failure === 'timeout' ? categories.timeout : null
  const { status } = outcome
  if (status > 599) return categories.unknownStatus
  if (status < 500) return null
  if (status === 500) return categories.serverError
  if (status !== 501) return categories.otherServerError
  return request.raw === undefined ? categories.notImplemented : null
}

/** What a failed obligation of the finding is; null if the catalogue has no category for it. `method`: of its operation. */
export const categoryOf = (
  { family, names = [] }: RecordedObligation,
  finding: Finding,
  shown: Shown,
  method: string,
): FaultCategory | null => {
  switch (family) {
    case 'response':
      return ofResponse(names, shown)
    case 'reject':
      return isAccepted(finding, shown) ? categories.invalidAccepted : null
    case 'accept':
      return finding.expectation === 'accept' ? ofRejection(statusOf(shown)) : null
    case 'auth':
      return ofCredentials(names, finding, shown, method)
    case 'state':
      return ofState(names[1], finding, shown, method)
    case 'ownership':
      return isAnswered(shown) && writes.has(names[1] ?? '') ? categories.otherUser : null
    default:
      return null
  }
}

const writes = new Set(['replace', 'change', 'remove', 'refused'])

const statusOf = ({ outcome }: Shown): number => (outcome.kind === 'response' ? outcome.status : 0)

/** Whether there is an answer that is no server error. */
const isAnswered = (shown: Shown): boolean => statusOf(shown) > 0 && statusOf(shown) < 500

const isAccepted = ({ expectation }: Finding, { outcome }: Shown): boolean =>
  isWronglyAccepted({ expectation, outcome })

/** `names`: `response`, then the status and what about it. */
const ofResponse = ([, status, about, name]: readonly string[], { outcome }: Shown): FaultCategory | null => {
  if (status === 'time') return categories.timeout
  if (status === undefined || about === 'echo' || about === 'length') return null
  if (about === 'challenge') return name === 'present' ? categories.noChallenge : null
  const isMissing =
    about === 'headers' &&
    name === 'www-authenticate' &&
    outcome.kind === 'response' &&
    outcome.status === 401 &&
    header(outcome.headers, name) === null
  return isMissing ? categories.noChallenge : categories.invalidResponse
}

/** Statuses that do not depend on whether the data is valid. */
const notOfData = new Set([401, 403, 404, 405, 408, 409, 410, 429])

const ofRejection = (status: number): FaultCategory | null => {
  if (status === 406) return categories.notAcceptable
  return status >= 400 && status < 500 && !notOfData.has(status) ? categories.validRejected : null
}

const ofCredentials = (
  [, name]: readonly string[],
  finding: Finding,
  shown: Shown,
  method: string,
): FaultCategory | null => {
  if (finding.expectation === 'accept') return statusOf(shown) === 401 ? categories.notRecognised : null
  if (!isAccepted(finding, shown)) return null
  const isModification = method === 'PUT' || method === 'PATCH' || method === 'DELETE'
  return isModification && name === 'absent' ? categories.anonymousWrite : categories.noAuthentication
}

const ofState = (
  name: string | undefined,
  { steps = [] }: Finding,
  shown: Shown,
  method: string,
): FaultCategory | null => {
  if (!isAnswered(shown)) return null
  switch (name) {
    case 'read-back':
    case 'location':
      return statusOf(shown) === 404 || statusOf(shown) === 410 ? categories.notCreated : null
    case 'gone':
      return categories.notRemoved
    case 'rejected':
      return method === 'PUT' || method === 'PATCH' ? categories.failedWrite : null
    case 'stored':
      return method === 'PUT' ? categories.partialPut : null
    case 'repeated':
      return method === 'PUT' ? categories.repeatedPut : null
    case 'kept':
      return steps.some(({ request }) => isMergePatch(request)) ? categories.mergePatch : null
    default:
      return null
  }
}

const isMergePatch = ({ headers }: RecordedRequest): boolean =>
  /^application\/merge-patch\+json\b/i.test(header(headers, 'content-type') ?? '')
