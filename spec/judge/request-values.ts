import type { BodyFormat, Operation } from '../contract/contract.ts'
import { writtenAs } from '../contract/form-fields.ts'
import { compare, decimal } from '../json/decimal.ts'
import { isNumber, type Json, numberText, typeOf } from '../json/json.ts'
import { steps, valueAt } from '../json/pointer.ts'
import { isBounded } from '../obligations/inputs/numbers.ts'
import type { RequestAspect } from '../obligations/subject.ts'
import { isOfBody, type ValueLocation } from '../obligations/value-location.ts'
import { dependentPlace, placeOf, type SchemaPlace } from '../schema/locations.ts'
import { brokenAt, type SchemaViolation } from '../schema/schema-violation.ts'
import type { SchemaSet, Validate } from '../schema/validator.ts'
import { explainAlternatives, explainIf } from './explain-alternatives.ts'
import {
  errorCodeOf,
  errorCodes,
  type RequestViolation,
  requestViolation,
  violationMessage,
} from './request-violation.ts'

/** A parameter or a body with its compiled schema. */
export type LocatedSchema = {
  readonly location: ValueLocation
  readonly root: SchemaPlace
  readonly validate: Validate
  /** Of a body that is partly JSON, partly text. */
  readonly format?: BodyFormat | undefined
  /** The schemas of the document, to tell which alternative a value is meant to fit. */
  readonly schemas: SchemaSet
  /** The names of members that no text can show: what is wrong with these is not told. */
  readonly unread: readonly string[]
}

/** What a value of a request breaks, by obligations. */
export const schemaViolations = (
  operation: Operation,
  { location, root, validate, schemas, format, unread }: LocatedSchema,
  value: Json,
): readonly RequestViolation[] => {
  const all = validate(value)
  const violations = unread.length === 0 ? all : all.filter(({ at }) => !unread.includes(steps(at)[0] ?? ''))
  if (violations.length === 0) return []
  const named = violations.flatMap(violation => {
    const subject = keywordSubject({ location, root, format }, violation, value)
    return subject === null ? [] : [{ subject, violation }]
  })
  // What only a branch of a composite keyword requires has no obligation of its own.
  const reported =
    named.length > 0
      ? named
      : violations
          .slice(0, 1)
          .map(violation => ({ subject: restSubject(location, root, violation), violation }))
  const told = reported.map(each => each.violation)
  const broken = reported.flatMap(({ subject, violation }) => {
    const place = placeOf(root, violation.at)
    const offending = valueAt(value, violation.at) as Json | undefined
    const causes = explainIf(violation, violations, told) ??
      (place === null ? null : explainAlternatives(schemas, place, violation, offending)) ?? [violation]
    const [cause] = causes
    if (cause === undefined) return []
    return [
      requestViolation(operation.id, subject, {
        part: isOfBody(location) ? 'body' : 'parameter',
        code: isOfBody(location) ? errorCodeOf(cause.keyword) : errorCodes.parameterWrong,
        message: causes.map(each => violationMessage(location, each)).join('; '),
        at: { ...location, place: cause.at },
      }),
    ]
  })
  return [...new Map(broken.map(violation => [violation.id, violation])).values()]
}

/** What the obligation that a violation breaks is about; null if its keyword belongs to a branch of another one. */
const keywordSubject = (
  { location, root, format }: Pick<LocatedSchema, 'location' | 'root' | 'format'>,
  violation: SchemaViolation,
  value: Json,
): RequestAspect | null => {
  const { keyword } = violation
  const at = brokenAt(violation)
  const place = placeOf(root, at)
  if (place === null || !place.keywords.some(use => use.keyword === keyword)) return null
  const broken = (detail: string): RequestAspect => ({
    kind: 'keyword',
    location: { ...location, place: place.pattern },
    keyword,
    detail,
  })
  if (keyword === 'required') {
    const name = steps(violation.at).at(-1) ?? ''
    return place.required.includes(name) ? broken(name) : null
  }
  const offending = valueAt(value, at) as Json
  // Parameters, forms and the like are text: the only wrong type is text that does not parse.
  const isJson = format === undefined ? location.in === 'body' : writtenAs(format, place.pattern) === 'json'
  if (keyword === 'type') return broken(isJson ? wrongType(place, offending) : 'string')
  if (keyword === 'format' && isNumber(offending)) {
    const sign = compare(decimal(numberText(offending)), { coefficient: 0n, exponent: 0 })
    const side = sign > 0 ? 'above' : 'below'
    return isBounded(place, side) ? null : broken(side)
  }
  return broken(violation.detail)
}

const restSubject = (location: ValueLocation, root: SchemaPlace, { at }: SchemaViolation): RequestAspect => {
  const place = dependentPlace(root, at)
  return {
    kind: 'keyword',
    location: place === null ? location : { ...location, place: place.pattern },
    keyword: place === null ? 'schema' : 'dependentSchemas',
    detail: '',
  }
}

const wrongType = (place: SchemaPlace, value: Json): string => {
  const type = typeOf(value)
  const numeric = place.types?.includes('integer') || place.types?.includes('number')
  if (type === 'number' && place.types?.includes('integer')) return 'fraction'
  if (type === 'string' && numeric && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(value as string))
    return 'numeral'
  return type
}
