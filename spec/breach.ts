import type { Violation } from './schema.ts'
import { isOfBody, type Where } from './subject.ts'

/** What part of a request is at fault; decides which declared failure answers it. */
export type Cause = 'credentials' | 'media' | 'body' | 'parameter'

/** One obligation that a request breaks. */
export type Breach = {
  readonly id: string
  readonly cause: Cause
  readonly code: number
  readonly message: string
  /** The value at fault, and the pointer into it; null where it is no one value (credentials). */
  readonly at: Where | null
}

/** The numbers that the mock gives in the code of an error; documented in docs/mock.md. */
export const codes = {
  credentialsMissing: 1,
  credentialsMalformed: 2,
  credentialsUnknown: 3,
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
  parameterMissing: 30,
  parameterWrong: 31,
  preferenceWrong: 32,
  pathUndeclared: 40,
  methodUndeclared: 41,
  notHttp: 42,
  tooManyRequests: 50,
  chosen: 51,
  preferred: 52,
  mockFailed: 60,
} as const

export const codeOf = (keyword: string): number =>
  keyword === 'required'
    ? codes.propertyMissing
    : keyword === 'type'
      ? codes.wrongType
      : /format|imum|Length|Items|Properties|multipleOf|enum|const|pattern/.test(keyword)
        ? codes.outOfRange
        : codes.otherRule

/** `/id must be an int64`: where in the value, and what was asked for. */
export const breachMessage = (where: Where, { at, keyword, asked, message }: Violation): string => {
  const subject = isOfBody(where) ? at || 'the body' : `the ${where.in} parameter ${where.name}${at}`
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `${subject} is missing`
    case 'type':
      return `${subject} must be ${(Array.isArray(asked) ? asked : [asked]).map(article).join(' or ')}`
    case 'format':
      return `${subject} must be ${article(String(asked))}`
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${subject} is not declared`
    case 'enum':
      return `${subject} must be one of ${(asked as readonly unknown[]).map(member => JSON.stringify(member)).join(', ')}`
    default:
      return typeof asked === 'number' || typeof asked === 'string'
        ? `${subject} must keep ${keyword} ${asked}`
        : `${subject} ${message}`
  }
}

const article = (type: string): string =>
  type === 'null'
    ? 'null'
    : /^[aeiou]/.test(type) && type !== 'uuid' && type !== 'uri'
      ? `an ${type}`
      : `a ${type}`
