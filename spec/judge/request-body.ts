import { readBody } from '../bodies/body-codec.ts'
import type { BodyFormat, Contract, Media, Operation } from '../contract/contract.ts'
import { formatOf, mayBeEmpty } from '../contract/form-fields.ts'
import { decodedBody } from '../http/content-encoding.ts'
import { type Headers, header, mediaFor, mediaType, takesMedia } from '../http/exchange.ts'
import { isObject, type Json, readJson } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import type { RequestAspect } from '../obligations/subject.ts'
import { bodyLocation, partLocation, type ValueLocation } from '../obligations/value-location.ts'
import { placesOf } from '../schema/locations.ts'
import { type LocatedSchema, schemaViolations } from './request-values.ts'
import {
  createPartJudge,
  emptyValue,
  errorCodes,
  type PartJudge,
  type RequestViolation,
  requestViolation,
} from './request-violation.ts'

const partAt: Readonly<Record<'media' | 'body', ValueLocation>> = {
  media: { in: 'header', name: 'Content-Type', place: '' },
  body: bodyLocation(''),
}

type BodyJudgement = { readonly violations: readonly RequestViolation[]; readonly body: Json | undefined }

/** A declared media type; `schema`: null if bodies of this type are not judged. */
type JudgedMedia = {
  readonly declared: Media
  readonly schema: LocatedSchema | null
  readonly judgeParts: PartJudge | null
}

/** Compiles the judge of the bodies of one operation's requests. */
export const createBodyJudge = (
  contract: Contract,
  operation: Operation,
): ((received: { readonly headers: Headers; readonly body: Uint8Array | null }) => BodyJudgement) => {
  const media = (operation.body?.media ?? []).map(declared => judgedMedia(contract, operation, declared))
  const inRanges = new Map<string, JudgedMedia>()
  const ofType = (found: JudgedMedia, type: string): JudgedMedia => {
    const { declared } = found
    if (declared.schema === null || !declared.type.includes('*')) return found
    const key = `${declared.type} ${type}`
    const known = inRanges.get(key)
    if (known !== undefined) return known
    const format = formatOf(contract.requests.document, declared.pointer, type)
    const judged = judgedMedia(contract, operation, { ...declared, format })
    if (inRanges.size < mostTypes) inRanges.set(key, judged)
    return judged
  }
  return ({ headers, body }) => judgeBody(operation, media, ofType, headers, body)
}

/** Clients may send any number of types in a range: only so many are kept. */
const mostTypes = 20

const judgedMedia = (contract: Contract, operation: Operation, declared: Media): JudgedMedia => {
  const { schema, format } = declared
  if (schema === null || format.kind === 'opaque') return { declared, schema: null, judgeParts: null }
  const located: LocatedSchema = {
    location: bodyLocation('', format.kind === 'json' ? 'body' : 'form'),
    root: placesOf(contract.requests.document, schema),
    validate: contract.requests.schemas.validator(schema),
    schemas: contract.requests.schemas,
    unread: format.kind === 'form' ? format.unread : [],
    ...(format.kind === 'multipart' ? { format } : {}),
  }
  return {
    declared,
    schema: located,
    judgeParts: format.kind === 'multipart' ? createPartJudge(contract, operation, format) : null,
  }
}

const judgeBody = (
  operation: Operation,
  media: readonly JudgedMedia[],
  ofType: (found: JudgedMedia, type: string) => JudgedMedia,
  headers: Headers,
  body: Uint8Array | null,
): BodyJudgement => {
  if (operation.body === null || media.length === 0) return { violations: [], body: undefined }
  const type = mediaType(header(headers, 'content-type'))
  if (body === null || (body.length === 0 && !isWhole(media, ofType, type))) {
    if (!operation.body.required) return { violations: [], body: undefined }
    return violation(
      operation,
      { kind: 'no-body', name: type === null ? 'absent' : 'empty' },
      'body',
      errorCodes.bodyMissing,
      'the body is missing',
    )
  }
  if (type === null)
    return violation(
      operation,
      { kind: 'media', name: 'absent' },
      'media',
      errorCodes.mediaMissing,
      `the content type is missing: it must be ${declaredTypes(media)}`,
    )
  const found = matching(media, header(headers, 'content-type'))
  if (found === undefined)
    return violation(
      operation,
      { kind: 'media', name: 'undeclared' },
      'media',
      errorCodes.mediaUndeclared,
      `the content type must be ${declaredTypes(media)}, not ${(header(headers, 'content-type') ?? type).slice(0, 80)}`,
    )
  const { schema, declared, judgeParts } = ofType(found, type)
  if (schema === null) return { violations: [], body: undefined }
  const bytes = header(headers, 'content-encoding') === null ? body : decodedBody({ headers, body })
  if ('problem' in bytes)
    return violation(
      operation,
      { kind: 'content-coding' },
      'media',
      errorCodes.mediaUndeclared,
      'the body cannot be decoded as its Content-Encoding says',
    )
  const { format } = declared
  if (format.kind === 'json' || format.kind === 'opaque') {
    const reading = readJson(bytes)
    if (!reading.ok)
      return violation(operation, malformed('json'), 'body', errorCodes.bodyNotJson, reading.problem)
    return { violations: schemaViolations(operation, schema, reading.value), body: reading.value }
  }
  const reading = readBody(format, bytes, header(headers, 'content-type'))
  if (!reading.ok)
    return violation(
      operation,
      malformed(format.kind),
      'body',
      errorCodes.bodyNotJson,
      `the body cannot be read as ${formatNames[format.kind]}: ${reading.problem}`,
    )
  const empty = emptyFields(format, reading.value)
  const unread = [...schema.unread, ...empty.map(({ name }) => name)]
  return {
    violations: [
      ...schemaViolations(operation, { ...schema, unread }, reading.value),
      ...empty.filter(({ allowEmpty }) => allowEmpty === false).map(({ name }) => isEmpty(operation, name)),
      ...(judgeParts?.(reading.parts ?? []) ?? []),
    ],
    body: reading.value,
  }
}

/** The fields that came empty and of which `allowEmptyValue` says whether this is right. */
const emptyFields = (
  format: BodyFormat,
  value: Json,
): readonly { readonly name: string; readonly allowEmpty: boolean | null }[] =>
  (format.kind === 'form' ? format.fields : format.kind === 'multipart' ? format.parts : []).filter(
    ({ name, allowEmpty }) => allowEmpty !== null && isObject(value) && value[name] === '',
  )

const isEmpty = (operation: Operation, name: string): RequestViolation =>
  requestViolation(operation.id, emptyValue(partLocation(name)), {
    part: 'body',
    code: errorCodes.otherRule,
    message: `${step('', name)} must not be empty`,
    at: partLocation(name),
  })

const malformed = (format: BodyFormat['kind']): RequestAspect => ({ kind: 'malformed', format, name: null })

const violation = (
  operation: Operation,
  subject: RequestAspect,
  part: 'media' | 'body',
  code: number,
  message: string,
): BodyJudgement => ({
  violations: [requestViolation(operation.id, subject, { part, code, message, at: partAt[part] })],
  body: undefined,
})

/** An empty form is a form without fields, an empty text a text. */
const isWhole = (
  media: readonly JudgedMedia[],
  ofType: (found: JudgedMedia, type: string) => JudgedMedia,
  type: string | null,
): boolean =>
  type !== null &&
  media.some(
    found => takesMedia(found.declared.type, type) && mayBeEmpty(ofType(found, type).declared.format),
  )

const matching = (media: readonly JudgedMedia[], contentType: string | null): JudgedMedia | undefined => {
  const [only] = media
  // Most clients and most documents.
  if (media.length === 1 && only?.declared.type === contentType) return only
  const [best] = mediaFor(
    media.map(each => ({ type: each.declared.type, each })),
    contentType,
  )
  return best?.each
}

const declaredTypes = (media: readonly JudgedMedia[]): string =>
  media.map(({ declared }) => declared.type).join(' or ')

const formatNames = {
  form: 'a form',
  multipart: 'multipart/form-data',
  text: 'text',
  binary: 'bytes',
  xml: 'XML',
} as const
