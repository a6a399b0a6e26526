import { writtenAs } from '../contract/body-format.ts'
import type { BodyFormat, Operation } from '../contract/contract.ts'
import { compare, decimal } from '../json/decimal.ts'
import { isNumber, type Json, numberText, typeOf } from '../json/json.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { isBounded } from '../obligations/inputs/numbers.ts'
import { isOfBody, locationPath, type ValueLocation } from '../obligations/value-location.ts'
import { dependentPlace, placeOf, type SchemaPlace } from '../schema/locations.ts'
import type { SchemaViolation } from '../schema/schema-violation.ts'
import type { SchemaSet, Validate } from '../schema/validator.ts'
import { explainAlternatives } from './explain-alternatives.ts'
import { explainIf } from './explain-if.ts'
import { errorCodeOf, errorCodes, type RequestViolation, violationMessage } from './request-violation.ts'

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
    const id = keywordId(operation, { location, root, format }, violation, value)
    return id === null ? [] : [{ id, violation }]
  })
  // What only a branch of a composite keyword requires has no obligation of its own.
  const reported =
    named.length > 0
      ? named
      : violations
          .slice(0, 1)
          .map(violation => ({ id: restId(operation, location, root, violation), violation }))
  const told = reported.map(each => each.violation)
  const broken = reported.flatMap(({ id, violation }) => {
    const place = placeOf(root, violation.at)
    const offending = valueAt(value, violation.at) as Json | undefined
    const causes = explainIf(violation, violations, told) ??
      (place === null ? null : explainAlternatives(schemas, place, violation, offending)) ?? [violation]
    const [cause] = causes
    if (cause === undefined) return []
    return [
      {
        id,
        part: isOfBody(location) ? ('body' as const) : ('parameter' as const),
        code: isOfBody(location) ? errorCodeOf(cause.keyword) : errorCodes.parameterWrong,
        message: causes.map(each => violationMessage(location, each)).join('; '),
        at: { ...location, place: cause.at },
      },
    ]
  })
  return [...new Map(broken.map(violation => [violation.id, violation])).values()]
}

/** The id of the obligation that a violation breaks; null if its keyword belongs to a branch of another one. */
const keywordId = (
  operation: Operation,
  { location, root, format }: Pick<LocatedSchema, 'location' | 'root' | 'format'>,
  violation: SchemaViolation,
  value: Json,
): string | null => {
  const { keyword } = violation
  const isOfParent =
    keyword === 'required' || keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
  const at = isOfParent ? parent(violation.at) : violation.at
  const place = placeOf(root, at)
  if (place === null || !place.keywords.some(use => use.keyword === keyword)) return null
  const path = (pattern: Pointer, rest: string): string =>
    `${operation.id}/${locationPath({ ...location, place: pattern })}/${rest}`
  if (keyword === 'required') {
    const name = steps(violation.at).at(-1) ?? ''
    return place.required.includes(name) ? path(step(place.pattern, name), 'required') : null
  }
  const offending = valueAt(value, at) as Json
  // Parameters, forms and the like are text: the only wrong type is text that does not parse.
  const isJson = format === undefined ? location.in === 'body' : writtenAs(format, place.pattern) === 'json'
  if (keyword === 'type')
    return path(place.pattern, `type/${isJson ? wrongType(place, offending) : 'string'}`)
  if (keyword === 'format' && isNumber(offending)) {
    const sign = compare(decimal(numberText(offending)), { coefficient: 0n, exponent: 0 })
    const side = sign > 0 ? 'above' : 'below'
    return isBounded(place, side) ? null : path(place.pattern, `format/${side}`)
  }
  return path(place.pattern, violation.detail === '' ? keyword : `${keyword}/${violation.detail}`)
}

const restId = (
  operation: Operation,
  location: ValueLocation,
  root: SchemaPlace,
  { at }: SchemaViolation,
): string => {
  const place = dependentPlace(root, at)
  return place === null
    ? `${operation.id}/${locationPath(location)}/schema`
    : `${operation.id}/${locationPath({ ...location, place: place.pattern })}/dependentSchemas`
}

const parent = (at: Pointer): Pointer => at.slice(0, at.lastIndexOf('/'))

const wrongType = (place: SchemaPlace, value: Json): string => {
  const type = typeOf(value)
  const numeric = place.types?.includes('integer') || place.types?.includes('number')
  if (type === 'number' && place.types?.includes('integer')) return 'fraction'
  if (type === 'string' && numeric && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(value as string))
    return 'numeral'
  return type
}
