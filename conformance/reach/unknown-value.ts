import {
  header,
  isNumber,
  type Json,
  type Operation,
  type Outcome,
  responseFor,
  type SchemaPlace,
  type Secret,
  uncheckedFormat,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { withWords } from '../judge/server-words.ts'
import { isListed, placesIn } from '../pool/known-values.ts'
import { scalarsOf } from '../pool/places-in-body.ts'
import { beginningOf, isAbsence, isAbsenceAsAccess, isAbsenceOf } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'

/** Why an operation may be right to accept no valid request, as far as its document and its answers say; null if nothing does. */
export const rightReason = (model: OperationModel, last: Sent, secrets: readonly Secret[]): string | null =>
  unknownValueReason(model, last, secrets) ??
  otherProtocolReason(model, last, secrets) ??
  unknownFormatReason(model, last, secrets) ??
  conflictReason(model, last, secrets)

/**
 * Why an operation that answers every valid request with a 404 or 410 that is declared or names such a value, or with a 401 or 403 that speaks of what is
 * not there, may be right to: a value beside its path may have to name something that exists. Null if no value may.
 */
export const unknownValueReason = (
  model: OperationModel,
  { testCase, outcome }: Sent,
  secrets: readonly Secret[],
): string | null => {
  const { operation } = model
  if (outcome.kind !== 'response') return null
  const { parameters, properties, values } = namingValues(model, testCase.spec)
  const isSaid = isAbsence(outcome.response.status) && isAbsenceOf(outcome.response, values)
  // What the run has created has to be found.
  if (!isSaid && (testCase.chain?.exists === true || !mayBeAbsence(operation, outcome))) return null
  if (parameters.length + properties.length === 0) return null
  const names = [...parameters, ...properties].slice(0, mostNamed).map(name => `\`${name}\``)
  const flags = parameters.slice(0, mostNamed).map(name => `--fixture ${operation.id}.${name}=VALUE`)
  const advice = flags.length === 0 ? '' : `: give a value that exists with ${flags.join(' or ')}`
  const answer = `${operation.id} answered ${outcome.response.status} to each valid request`
  return `${withWords(answer, outcome, secrets)}, and ${names.join(' or ')} may have to name something that exists${advice}`
}

const mayBeAbsence = (operation: Operation, outcome: Outcome): boolean =>
  outcome.kind === 'response' && isAbsence(outcome.response.status)
    ? responseFor(operation, outcome.response.status) !== null
    : isAbsenceAsAccess(outcome)

/**
 * Why an operation that answers every valid request with an offer of WebSockets may be right to: documents that frameworks write have these routes
 * beside the others. Null if it offers none.
 */
const otherProtocolReason = (
  { operation, body: sent }: OperationModel,
  { outcome }: Sent,
  secrets: readonly Secret[],
): string | null => {
  // A WebSocket is opened by a GET alone.
  if (outcome.kind !== 'response' || operation.method !== 'GET' || sent !== null) return null
  const { status, headers } = outcome.response
  const text = beginningOf(outcome.response)
  const isOffered = status === 426 && /websocket/i.test(header(headers, 'upgrade') ?? 'websocket')
  const isAskedFor = status >= 400 && status < 500 && named.test(text) && aboutOpening.test(text)
  if (!isOffered && !isAskedFor) return null
  const answer = `${operation.id} answered ${status} to each valid request`
  return `${withWords(answer, outcome, secrets)}, as it is for WebSockets, which the suite does not open: leave it out with --skip '${operation.id}/*'`
}

/** Not as a part of a path or of a name, such as `websocket_url`. */
const named = /(?<![\w/])web[ -]?sockets?(?![\w/-])/i

/** What servers say to requests that do not open a WebSocket. */
const aboutOpening =
  /upgrade|handshake|protocol|web[ -]?socket (?:connection|request|client)|not a web[ -]?socket/i

/** Names that the reason has, at most. */
const mostNamed = 3

/** Names of parameters and properties, and the values that a request has there. */
type NamingValues = { readonly [part in 'parameters' | 'properties']: readonly string[] } & {
  readonly values: readonly Json[]
}

/** Parameters outside the path, and properties of the body, whose values may name something. */
const namingValues = (model: OperationModel, spec: RequestSpec): NamingValues => {
  const parameters: string[] = []
  const properties: string[] = []
  const inPath = new Set(
    model.parameters.flatMap(({ parameter: { name, in: part } }) =>
      part === 'path' ? [spec.parameters[name]] : [],
    ),
  )
  for (const [key, { name, isInPath }] of placesIn(model, spec)) {
    if (isInPath || isListed(model, key)) continue
    const value = spec.parameters[name]
    if (key.startsWith('/')) properties.push(name)
    else if (typeof value === 'string' || (value !== undefined && isNumber(value))) parameters.push(name)
  }
  const values = [
    ...parameters.map(name => spec.parameters[name] as Json),
    ...Array.from(scalarsOf(spec.body), ({ value }) => value),
  ]
  return { parameters, properties, values: values.filter(value => !inPath.has(value)) }
}

/** Why an operation may reject values of a format that nobody knows; null if its answer names no such format. */
const unknownFormatReason = (
  model: OperationModel,
  { outcome }: Sent,
  secrets: readonly Secret[],
): string | null => {
  if (outcome.kind !== 'response') return null
  const text = beginningOf(outcome.response)
  const roots = [...model.parameters.map(({ root }) => root), model.body?.root].filter(root => root != null)
  const format = roots
    .flatMap(placesBelow)
    .flatMap(({ keywords }) => keywords)
    .map(({ keyword, value }) => (keyword === 'format' && typeof value === 'string' ? value : ''))
    .find(name => name.length > 2 && uncheckedFormat(name) !== null && isWordIn(text, name))
  const answer = `the server answers ${outcome.response.status}`
  return format === undefined
    ? null
    : `${withWords(answer, outcome, secrets)}, and the suite makes no values of the format "${format}": name one with --fixture, or in an example of the document`
}

const isWordIn = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${RegExp.escape(word)}(?![\\w-])`, 'i').test(text)

/** A place of a schema, and all below it. */
const placesBelow = (place: SchemaPlace): readonly SchemaPlace[] => [
  place,
  ...place.children.flatMap(placesBelow),
]

/**
 * Why an operation may reject each valid request by what is stored, as the document says; null if it may not. A request that has no more than the name of
 * what exists cannot be another one.
 */
const conflictReason = (
  { body, operation }: OperationModel,
  { testCase, outcome }: Sent,
  secrets: readonly Secret[],
): string | null => {
  if (body !== null || outcome.kind !== 'response') return null
  const { status } = outcome.response
  const isSaid = status === 400 || status === 412 || status === 422
  const text = beginningOf(outcome.response)
  const isOfState = status === 409 || (isSaid && testCase.chain?.exists === true && ofState.test(text))
  return isOfState && responseFor(operation, status) !== null
    ? `${withWords(`the server answers ${status}, as the document declares`, outcome, secrets)}: what is stored does not allow it (leave it out with --skip ${operation.id})`
    : null
}

/** `Workflow is not archived`, `it has already been paid` */
const ofState =
  /\balready\b|\b(?:is|are|was|were) not (?!an?\b|in\b|the\b|valid|allowed|found|supported|permitted|implemented|json\b)\p{L}+ed\b/iu
