import type { Contract, Media, Operation, Parameter } from '../contract/contract.ts'
import { decodedBody } from '../http/content-encoding.ts'
import { type Headers, header, headerValues, isJsonMedia, mediaType, takesMedia } from '../http/exchange.ts'
import { type Json, readJson } from '../json/json.ts'
import type { Pointer } from '../json/pointer.ts'
import {
  bodyLocation,
  locationPath,
  parameterLocation,
  type ValueLocation,
} from '../obligations/value-location.ts'
import { placesOf } from '../schema/locations.ts'
import { readForm } from '../serialization/form-body.ts'
import {
  cookiePairs,
  type ParameterSource,
  queryPairs,
  readParameter,
} from '../serialization/parse-parameter.ts'
import { judgeCredentials, type Tokens } from './credentials.ts'
import { type LocatedSchema, schemaViolations } from './request-values.ts'
import { errorCodes, type RequestViolation } from './request-violation.ts'

/** A request as it arrived. */
export type ReceivedRequest = {
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** Path values by name, percent-encoded. */
  readonly path: Readonly<Record<string, string>>
}

export type RequestJudgement = {
  /** What the request breaks, credentials first; empty if it is valid. */
  readonly violations: readonly RequestViolation[]
  /** The body, if it could be read. */
  readonly body: Json | undefined
  readonly parameters: Readonly<Record<string, Json>>
}

export type RequestJudge = (received: ReceivedRequest, tokens: Tokens) => RequestJudgement

/** A declared media type; `schema`: null if bodies of this type are not judged. */
type JudgedMedia = { readonly declared: Media; readonly schema: LocatedSchema | null }

/** Compiles the judge of one operation's requests. */
export const createRequestJudge = (contract: Contract, operation: Operation): RequestJudge => {
  const located = (location: ValueLocation, schema: Pointer): LocatedSchema => ({
    location,
    root: placesOf(contract.requests.document, schema),
    validate: contract.requests.schemas.validator(schema),
  })
  const parameters = operation.parameters.map(parameter => ({
    parameter,
    schema: parameter.schema === null ? null : located(parameterLocation(parameter), parameter.schema),
  }))
  const media = (operation.body?.media ?? []).map(
    (declared): JudgedMedia => ({
      declared,
      schema:
        declared.schema !== null && (declared.form !== null || isJsonMedia(mediaType(declared.type) ?? ''))
          ? located(bodyLocation('', declared.form === null ? 'body' : 'form'), declared.schema)
          : null,
    }),
  )
  const names = new Set(operation.parameters.map(({ name }) => name))
  for (const { kind, ...scheme } of operation.security.flat())
    if (kind === 'apiKey' && 'key' in scheme) names.add(scheme.key)
  return (received, tokens) => {
    const source = sourceOf(received, names)
    const credentials = judgeCredentials(operation, received.headers, source, tokens)
    const violations: RequestViolation[] = credentials === null ? [] : [credentials]
    const values: Record<string, Json> = {}
    for (const { parameter, schema } of parameters) {
      const value = readParameter(parameter, schema?.root ?? null, source)
      if (value === undefined) violations.push(...missing(operation, parameter))
      else {
        values[parameter.name] = value
        if (schema !== null) violations.push(...schemaViolations(operation, schema, value))
      }
    }
    const { violations: ofBody, body } = judgeBody(operation, media, received)
    violations.push(...ofBody)
    return { violations, body, parameters: values }
  }
}

const sourceOf = (
  { target, headers, path }: ReceivedRequest,
  names: ReadonlySet<string>,
): ParameterSource => {
  const mark = target.indexOf('?')
  return {
    path,
    query: mark < 0 ? [] : queryPairs(target.slice(mark + 1)),
    header: name => joinedHeader(headers, name.toLowerCase(), ', '),
    cookie: cookiePairs(joinedHeader(headers, 'cookie', '; ')),
    names,
  }
}

// Lines of one name are one value (RFC 9110, 5.3).
const joinedHeader = (headers: Headers, name: string, joint: string): string | null => {
  const values = headerValues(headers, name)
  return values.length === 0 ? null : values.join(joint)
}

const missing = (operation: Operation, parameter: Parameter): readonly RequestViolation[] =>
  parameter.required
    ? [
        {
          id: `${operation.id}/${locationPath(parameterLocation(parameter))}/required`,
          part: 'parameter',
          code: errorCodes.parameterMissing,
          message: `the ${parameter.in} parameter ${parameter.name} is missing`,
          at: parameterLocation(parameter),
        },
      ]
    : []

const partAt: Readonly<Record<'media' | 'body', ValueLocation>> = {
  media: { in: 'header', name: 'Content-Type', place: '' },
  body: bodyLocation(''),
}

const judgeBody = (
  operation: Operation,
  media: readonly JudgedMedia[],
  { headers, body }: ReceivedRequest,
): { readonly violations: readonly RequestViolation[]; readonly body: Json | undefined } => {
  const violation = (path: string, part: 'media' | 'body', code: number, message: string) => ({
    violations: [{ id: `${operation.id}/request/${path}`, part, code, message, at: partAt[part] }],
    body: undefined,
  })
  if (operation.body === null || media.length === 0) return { violations: [], body: undefined }
  const type = mediaType(header(headers, 'content-type'))
  const isForm =
    type !== null && media.some(({ declared }) => declared.form !== null && takesMedia(declared.type, type))
  // An empty form is a form without fields.
  if (body === null || (body.length === 0 && !isForm)) {
    if (!operation.body.required) return { violations: [], body: undefined }
    return violation(
      `body/required/${type === null ? 'absent' : 'empty'}`,
      'body',
      errorCodes.bodyMissing,
      'the body is missing',
    )
  }
  const declaredTypes = (): string => media.map(({ declared }) => declared.type).join(' or ')
  if (type === null)
    return violation(
      'content-type/absent',
      'media',
      errorCodes.mediaMissing,
      `the content type is missing: it must be ${declaredTypes()}`,
    )
  const matching = (isRange: boolean) =>
    media.find(({ declared }) => declared.type.includes('*') === isRange && takesMedia(declared.type, type))
  const found = matching(false) ?? matching(true)
  if (found === undefined)
    return violation(
      'content-type/undeclared',
      'media',
      errorCodes.mediaUndeclared,
      `the content type must be ${declaredTypes()}, not ${type.slice(0, 80)}`,
    )
  const { schema } = found
  if (schema === null) return { violations: [], body: undefined }
  const bytes = header(headers, 'content-encoding') === null ? body : decodedBody({ headers, body })
  if ('problem' in bytes)
    return violation(
      'content-encoding',
      'media',
      errorCodes.mediaUndeclared,
      'the body cannot be decoded as its Content-Encoding says',
    )
  const { form } = found.declared
  if (form !== null) {
    const value = readForm(form, schema.root, bytes)
    return { violations: schemaViolations(operation, schema, value), body: value }
  }
  const reading = readJson(bytes)
  if (!reading.ok) return violation('body/json', 'body', errorCodes.bodyNotJson, reading.problem)
  return { violations: schemaViolations(operation, schema, reading.value), body: reading.value }
}
