import { type Breach, breachMessage, codeOf, codes } from './breach.ts'
import type { Contract, Media, Operation, Parameter } from './contract.ts'
import { compare, decimal } from './decimal.ts'
import { type Headers, header, headerValues, isJsonMedia, mediaType, takesMedia } from './exchange.ts'
import { readForm } from './form.ts'
import { isNumber, type Json, numberText, readJson, typeOf } from './json.ts'
import { judgeCredentials, type Tokens } from './judge-credentials.ts'
import { bodyWhere, parameterWhere, wherePath } from './obligations/context.ts'
import { isBounded } from './obligations/numbers.ts'
import { dependentPlace, placeOf, placesOf, type SchemaPlace } from './places.ts'
import { type Pointer, step, steps, valueAt } from './pointer.ts'
import { cookiePairs, type ParameterSource, queryPairs, readParameter } from './read-parameter.ts'
import type { Validate, Violation } from './schema.ts'
import { isOfBody, type Where } from './subject.ts'

/** A request as it came over the wire. */
export type Received = {
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** Path values by name, percent-encoded. */
  readonly path: Readonly<Record<string, string>>
}

export type Judgement = {
  /** What the request breaks; empty: it is valid. Credentials come first. */
  readonly breaches: readonly Breach[]
  /** The JSON body, where there is one that could be read. */
  readonly body: Json | undefined
  readonly parameters: Readonly<Record<string, Json>>
}

export type RequestJudge = (received: Received, tokens: Tokens) => Judgement

type Target = { readonly where: Where; readonly root: SchemaPlace; readonly validate: Validate }

/** Compiles the judge of one operation's requests: which obligations does a request break? */
export const createRequestJudge = (contract: Contract, operation: Operation): RequestJudge => {
  const target = (where: Where, schema: Pointer): Target => ({
    where,
    root: placesOf(contract.document, schema),
    validate: contract.schemas.validator(schema),
  })
  const parameters = operation.parameters.map(parameter => ({
    parameter,
    target: parameter.schema === null ? null : target(parameterWhere(parameter), parameter.schema),
  }))
  const media = (operation.body?.media ?? []).map(declared => ({
    declared,
    target:
      declared.schema !== null && (declared.form !== null || isJsonMedia(mediaType(declared.type) ?? ''))
        ? target(bodyWhere('', declared.form === null ? 'body' : 'form'), declared.schema)
        : null,
  }))
  return (received, tokens) => {
    const source = sourceOf(received)
    const credentials = judgeCredentials(operation, received.headers, source, tokens)
    const breaches: Breach[] = credentials === null ? [] : [credentials]
    const values: Record<string, Json> = {}
    for (const { parameter, target } of parameters) {
      const value = readParameter(parameter, target?.root ?? null, source)
      if (value === undefined) breaches.push(...missing(operation, parameter))
      else {
        values[parameter.name] = value
        if (target !== null) breaches.push(...schemaBreaches(operation, target, value))
      }
    }
    const { breaches: ofBody, body } = judgeBody(operation, media, received)
    breaches.push(...ofBody)
    return { breaches, body, parameters: values }
  }
}

const sourceOf = ({ target, headers, path }: Received): ParameterSource => {
  const mark = target.indexOf('?')
  return {
    path,
    query: mark < 0 ? [] : queryPairs(target.slice(mark + 1)),
    header: name => joinedHeader(headers, name.toLowerCase(), ', '),
    cookie: cookiePairs(joinedHeader(headers, 'cookie', '; ')),
  }
}

// Lines of one name are one value (RFC 9110, 5.3).
const joinedHeader = (headers: Headers, name: string, joint: string): string | null => {
  const values = headerValues(headers, name)
  return values.length === 0 ? null : values.join(joint)
}

const missing = (operation: Operation, parameter: Parameter): readonly Breach[] =>
  parameter.required
    ? [
        {
          id: `${operation.id}/${wherePath(parameterWhere(parameter))}/required`,
          cause: 'parameter',
          code: codes.parameterMissing,
          message: `the ${parameter.in} parameter ${parameter.name} is missing`,
          at: parameterWhere(parameter),
        },
      ]
    : []

const partAt: Readonly<Record<'media' | 'body', Where>> = {
  media: { in: 'header', name: 'Content-Type', place: '' },
  body: bodyWhere(''),
}

const judgeBody = (
  operation: Operation,
  media: readonly { readonly declared: Media; readonly target: Target | null }[],
  { headers, body }: Received,
): { readonly breaches: readonly Breach[]; readonly body: Json | undefined } => {
  const breach = (path: string, cause: 'media' | 'body', code: number, message: string) => ({
    breaches: [{ id: `${operation.id}/request/${path}`, cause, code, message, at: partAt[cause] }],
    body: undefined,
  })
  if (operation.body === null || media.length === 0) return { breaches: [], body: undefined }
  const type = mediaType(header(headers, 'content-type'))
  const isForm =
    type !== null && media.some(({ declared }) => declared.form !== null && takesMedia(declared.type, type))
  // An empty form is one without any field.
  if (body === null || (body.length === 0 && !isForm)) {
    if (!operation.body.required) return { breaches: [], body: undefined }
    return breach(
      `body/required/${type === null ? 'absent' : 'empty'}`,
      'body',
      codes.bodyMissing,
      'the body is missing',
    )
  }
  const names = (): string => media.map(({ declared }) => declared.type).join(' or ')
  if (type === null)
    return breach(
      'content-type/absent',
      'media',
      codes.mediaMissing,
      `the content type is missing: it must be ${names()}`,
    )
  const taken = (isRange: boolean) =>
    media.find(({ declared }) => declared.type.includes('*') === isRange && takesMedia(declared.type, type))
  const match = taken(false) ?? taken(true)
  if (match === undefined)
    return breach(
      'content-type/undeclared',
      'media',
      codes.mediaUndeclared,
      `the content type must be ${names()}, not ${type.slice(0, 80)}`,
    )
  if (match.target === null) return { breaches: [], body: undefined }
  const { form } = match.declared
  if (form !== null) {
    const value = readForm(form, match.target.root, body)
    return { breaches: schemaBreaches(operation, match.target, value), body: value }
  }
  const reading = readJson(body)
  if (!reading.ok) return breach('body/json', 'body', codes.bodyNotJson, reading.problem)
  return { breaches: schemaBreaches(operation, match.target, reading.value), body: reading.value }
}

const schemaBreaches = (
  operation: Operation,
  { where, root, validate }: Target,
  value: Json,
): readonly Breach[] => {
  const violations = validate(value)
  if (violations.length === 0) return []
  const named = violations.flatMap(violation => {
    const id = keywordId(operation, where, root, violation, value)
    return id === null ? [] : [{ id, violation }]
  })
  // What only a part of a composite keyword asks for has no name of its own.
  const told =
    named.length > 0
      ? named
      : violations
          .slice(0, 1)
          .map(violation => ({ id: restId(operation, where, root, violation), violation }))
  const breaches = told.map(({ id, violation }) => ({
    id,
    cause: isOfBody(where) ? ('body' as const) : ('parameter' as const),
    code: isOfBody(where) ? codeOf(violation.keyword) : codes.parameterWrong,
    message: breachMessage(where, violation),
    at: { ...where, place: violation.at },
  }))
  return [...new Map(breaches.map(breach => [breach.id, breach])).values()]
}

/** The id of the obligation that a violation breaks; null where its keyword stands in a branch of another. */
const keywordId = (
  operation: Operation,
  where: Where,
  root: SchemaPlace,
  violation: Violation,
  value: Json,
): string | null => {
  const { keyword } = violation
  const named =
    keyword === 'required' || keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
  const at = named ? parent(violation.at) : violation.at
  const place = placeOf(root, at)
  if (place === null || !place.keywords.some(use => use.keyword === keyword)) return null
  const path = (pattern: Pointer, rest: string): string =>
    `${operation.id}/${wherePath({ ...where, place: pattern })}/${rest}`
  if (keyword === 'required') {
    const name = steps(violation.at).at(-1) ?? ''
    return place.required.includes(name) ? path(step(place.pattern, name), 'required') : null
  }
  const offending = valueAt(value, at) as Json
  // Of a parameter or a field there is but text that is not of its type.
  if (keyword === 'type')
    return path(place.pattern, `type/${where.in === 'body' ? wrongType(place, offending) : 'string'}`)
  if (keyword === 'format' && isNumber(offending)) {
    const sign = compare(decimal(numberText(offending)), { coefficient: 0n, exponent: 0 })
    const side = sign > 0 ? 'above' : 'below'
    return isBounded(place, side) ? null : path(place.pattern, `format/${side}`)
  }
  return path(place.pattern, violation.detail === '' ? keyword : `${keyword}/${violation.detail}`)
}

const restId = (operation: Operation, where: Where, root: SchemaPlace, { at }: Violation): string => {
  const place = dependentPlace(root, at)
  return place === null
    ? `${operation.id}/${wherePath(where)}/schema`
    : `${operation.id}/${wherePath({ ...where, place: place.pattern })}/dependentSchemas`
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
