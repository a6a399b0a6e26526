import type { BodyFormat, BodyPart, Contract, Operation, Parameter } from '../contract/contract.ts'
import type { RequestPart } from '../contract/rejection-statuses.ts'
import { header, mediaType, takesMedia } from '../http/exchange.ts'
import type { FormPart } from '../http/multipart.ts'
import { step, steps } from '../json/pointer.ts'
import { idOf, type ObligationId } from '../obligations/obligation-id.ts'
import type { RequestAspect } from '../obligations/subject.ts'
import { isOfBody, partLocation, type ValueLocation } from '../obligations/value-location.ts'
import { placesOf } from '../schema/locations.ts'
import { constraintText, type SchemaViolation, twoText } from '../schema/schema-violation.ts'
import { readHeader } from '../serialization/parse-parameter.ts'

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

/** What the parts of a `multipart/form-data` body violate besides the schema of their values. */
export type PartJudge = (parts: readonly FormPart[]) => readonly RequestViolation[]

export const createPartJudge = (
  contract: Contract,
  operation: Operation,
  { parts: declared }: Extract<BodyFormat, { kind: 'multipart' }>,
): PartJudge => {
  const judged = declared.filter(({ types, headers }) => types.length > 0 || headers.length > 0)
  const headerJudges = new Map(
    judged.flatMap(part => part.headers.map(each => [each, headerProblem(contract, each)] as const)),
  )
  return parts => {
    const violations: RequestViolation[] = []
    for (const part of judged)
      for (const sent of parts.filter(({ name }) => name === part.name)) {
        const violation = (header: string | null, message: string): RequestViolation =>
          requestViolation(
            operation.id,
            { kind: 'part', part: part.name, header },
            {
              part: 'body',
              code: errorCodes.partWrong,
              message: `${step('', part.name)} ${message}`,
              at: partLocation(part.name),
            },
          )
        const wrong = wrongType(part, sent)
        if (wrong !== null)
          violations.push(
            violation(null, `must be sent as ${part.types.join(' or ')}, not ${wrong.slice(0, 80)}`),
          )
        for (const each of part.headers) {
          const problem = headerJudges.get(each)?.(sent) ?? null
          if (problem !== null) violations.push(violation(each.name, problem))
        }
      }
    // Each item of a list is a part.
    return [...new Map(violations.map(violation => [violation.id, violation])).values()]
  }
}

/** The media type of a part if it is another one than the document declares; null if it is right. */
const wrongType = ({ types }: BodyPart, { contentType }: FormPart): string | null => {
  const type = mediaType(contentType) ?? 'text/plain'
  return types.length === 0 || types.some(range => takesMedia(range, type)) ? null : type
}

/** What is wrong with a header of a part, as a predicate; null: nothing. */
const headerProblem = (
  { requests: { document, schemas } }: Contract,
  parameter: Parameter,
): ((part: FormPart) => string | null) => {
  const { name, required, schema } = parameter
  const root = schema === null ? null : placesOf(document, schema)
  const validate = schema === null ? null : schemas.validator(schema)
  return ({ headers }) => {
    const text = header(headers, name.toLowerCase())
    if (text === null) return required ? `must have the header ${name}` : null
    const [first] = validate?.(readHeader(parameter, root, text)) ?? []
    return first === undefined
      ? null
      : `must have a header ${name} that must ${constraintText(first.keyword, first.constraint)}`
  }
}
