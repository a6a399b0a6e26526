import type { RequestPart } from '../contract/rejection-statuses.ts'
import { steps } from '../json/pointer.ts'
import { idOf, type ObligationId } from '../obligations/obligation-id.ts'
import type { RequestAspect } from '../obligations/subject.ts'
import { isOfBody, type ValueLocation } from '../obligations/value-location.ts'
import { constraintText, twoText } from '../schema/constraint-text.ts'
import type { SchemaViolation } from '../schema/schema-violation.ts'

/** One obligation that a request breaks. */
export type RequestViolation = {
  readonly id: ObligationId
  readonly operation: string
  readonly subject: RequestAspect
  readonly part: RequestPart
  readonly code: number
  readonly message: string
  /** The invalid value, its `place` a pointer; null if it is no value (credentials). */
  readonly at: ValueLocation | null
}

/** The numbers that the mock puts into the `code` of an error; documented in docs/mock.md. */
export const errorCodes = {
  credentialsMissing: 1,
  credentialsMalformed: 2,
  credentialsUnknown: 3,
  scopeMissing: 4,
  mediaMissing: 10,
  mediaUndeclared: 11,
  bodyMissing: 12,
  bodyTooLarge: 13,
  bodyNotJson: 14,
  propertyMissing: 20,
  wrongType: 21,
  outOfRange: 22,
  otherRule: 23,
  identityTaken: 24,
  partWrong: 25,
  parameterMissing: 30,
  parameterWrong: 31,
  preferenceWrong: 32,
  notAcceptable: 33,
  pathUndeclared: 40,
  methodUndeclared: 41,
  notHttp: 42,
  nothingThere: 43,
  patchFailed: 44,
  keyReused: 45,
  conditionFailed: 46,
  tooManyRequests: 50,
  chosen: 51,
  preferred: 52,
  answerWrong: 53,
  mockFailed: 60,
} as const

export const errorCodeOf = (keyword: string): number =>
  keyword === 'required'
    ? errorCodes.propertyMissing
    : keyword === 'type'
      ? errorCodes.wrongType
      : /format|imum|Length|Items|Properties|multipleOf|enum|const|pattern/.test(keyword)
        ? errorCodes.outOfRange
        : errorCodes.otherRule

/** «/id must be an int64»: the place in the value, and the constraint. */
export const violationMessage = (
  location: ValueLocation,
  { at, keyword, constraint, fits }: SchemaViolation,
): string => {
  const subject = isOfBody(location) ? at || 'the body' : `the ${location.in} parameter ${location.name}${at}`
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `${subject} is missing`
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${subject} is not declared`
    default:
      if (fits !== undefined) return `${subject} ${twoText(fits)}`
      return `${subject} must ${constraintText(keyword, constraint)}`
  }
}

export const requestViolation = (
  operation: string,
  subject: RequestAspect,
  rest: Pick<RequestViolation, 'part' | 'code' | 'message' | 'at'>,
): RequestViolation => ({ id: idOf(operation, subject), operation, subject, ...rest })

/** An empty value where `allowEmptyValue` allows none. */
export const emptyValue = (location: ValueLocation): RequestAspect => ({
  kind: 'keyword',
  location,
  keyword: 'allowEmptyValue',
  detail: '',
})

/** The names of the properties of the body that violations are about. */
export const violatedProperties = (
  violations: readonly Pick<RequestViolation, 'subject'>[],
): ReadonlySet<string> => new Set(violations.flatMap(({ subject }) => propertyOf(subject) ?? []))

const propertyOf = (subject: RequestAspect): string | undefined => {
  if (subject.kind === 'part') return subject.part
  if (subject.kind !== 'keyword' || !isOfBody(subject.location)) return undefined
  return steps(subject.location.place)[0] ?? (subject.keyword === 'required' ? subject.detail : undefined)
}
