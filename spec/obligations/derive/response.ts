import type { DeclaredResponse } from '../../contract/contract.ts'
import { writtenAs } from '../../contract/form-fields.ts'
import { type Pointer, step } from '../../json/pointer.ts'
import { asWritten, type Exact } from '../../openapi/exact-limits.ts'
import { listPlaces, type SchemaPlace } from '../../schema/locations.ts'
import { constraintText } from '../../schema/schema-violation.ts'
import { echoesOf } from '../echo.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { problemObligation } from '../problem-details.ts'
import { rateLimitObligation } from '../rate-limit.ts'
import { isRange, type JudgedMedia, judgedMedia, streamMedia } from '../response-media.ts'
import type { Subject } from '../subject.ts'
import { placeText } from '../value-location.ts'
import { isAnnotation } from './annotations.ts'

/** What holds for every response, whatever the request was. */
export const responseObligations = (context: OperationContext): readonly ObligationSpec[] => [
  ...(context.operation.responses.length === 0 ? [] : [declaredStatus(context)]),
  ...context.operation.responses.flatMap(response => obligationsOfResponse(context, response)),
]

const declaredStatus = ({ operation }: OperationContext): ObligationSpec => ({
  family: 'response',
  level: 'MUST',
  input: null,
  requirement: `every response has a declared status: ${operation.responses.map(({ status }) => status).join(', ')}`,
  pointer: step(operation.pointer, 'responses'),
  subject: { kind: 'response', aspect: 'declared' },
})

type ResponseSubject = Extract<Subject, { readonly kind: 'response' }>

const responseObligation = (
  pointer: Pointer,
  requirement: string,
  subject: ResponseSubject,
  rest: Partial<ObligationSpec> = {},
): ObligationSpec => ({
  family: 'response',
  level: 'MUST',
  input: null,
  requirement,
  pointer,
  subject,
  ...rest,
})

/** «a 200 response», «the default response» */
const responseText = (status: string): string =>
  status === 'default' ? 'the default response' : `a ${status} response`

const obligationsOfResponse = (
  context: OperationContext,
  response: DeclaredResponse,
): readonly ObligationSpec[] => {
  const headers = [...headerObligations(response), ...rateLimitObligation(response)]
  if (response.media.length === 0) return headers
  const length = [lengthObligation(response.pointer, response.status), ...problemObligation(response)]
  const judged = judgedMedia(context.contract, response)
  const ofItems = itemsObligations(context, response)
  if (judged === null) return [mediaObligation(response), ...length, ...ofItems, ...headers]
  const { root, format } = judged.first
  const isJson = format.kind === 'json'
  const range = isRange(judged.first.media)
  const ofSchema = schemaObligations(context.contract.exact, response.status, root)
  return [
    mediaObligation(response),
    ...(isJson ? byteObligations(response, range ? ' if its media type is JSON' : '') : []),
    ...textObligations(response, [judged.first, ...judged.others]),
    ...length,
    ...ofItems,
    ...(isJson ? ofSchema : ofSchema.filter(({ subject }) => !isAnyText(judged.first, subject))),
    ...restObligations(response, root),
    ...headers,
    ...echoObligations(context, response, root),
  ]
}

const mediaObligation = (response: DeclaredResponse): ObligationSpec =>
  responseObligation(
    response.pointer,
    `the Content-Type of ${responseText(response.status)} is ${response.media.map(media => media.type).join(' or ')}`,
    { kind: 'response', aspect: 'content-type', status: response.status },
    { pointer: step(response.pointer, 'content') },
  )

/** The one requirement on the body of any response. */
export const lengthObligation = (pointer: string, status: string): ObligationSpec => ({
  family: 'response',
  level: 'MUST',
  input: null,
  requirement: `the body of ${responseText(status)} is as long as announced`,
  pointer,
  rfc: 'RFC 9112 6.3',
  subject: { kind: 'response', aspect: 'length', status },
})

const byteRequirements = [
  ['encoding', 'is UTF-8', 'RFC 8259 8.1'],
  ['bom', 'has no byte order mark', 'RFC 8259 8.1'],
  ['json', 'is JSON', 'RFC 8259 2'],
  ['duplicate-names', 'does not repeat a property', 'RFC 8259 4'],
] as const

const byteObligations = (response: DeclaredResponse, condition: string): readonly ObligationSpec[] =>
  byteRequirements.map(([aspect, predicate, rfc]) =>
    ofBytes(response, aspect, `${predicate}${condition}`, rfc),
  )

const ofBytes = (
  response: DeclaredResponse,
  aspect: (typeof byteRequirements)[number][0] | 'xml' | 'multipart' | 'items',
  predicate: string,
  rfc?: string,
): ObligationSpec =>
  responseObligation(
    response.pointer,
    `the body of ${responseText(response.status)} ${predicate}`,
    { kind: 'response', aspect, status: response.status },
    rfc === undefined ? {} : { rfc },
  )

const itemsObligations = ({ contract }: OperationContext, response: DeclaredResponse) =>
  streamMedia(contract, response)
    .slice(0, 1)
    .map(() => ofBytes(response, 'items', 'is a stream of items that fit their schema'))

/** What the bytes are if the body is a text, in parts, or XML. */
const textObligations = (
  response: DeclaredResponse,
  judged: readonly JudgedMedia[],
): readonly ObligationSpec[] => {
  const has = (kind: string, all = judged): boolean => all.some(({ format }) => format.kind === kind)
  return [
    ...(has('text', judged.slice(0, 1))
      ? [ofBytes(response, 'encoding', 'is text in the charset of its Content-Type', 'RFC 9110 8.3.2')]
      : []),
    ...(has('multipart')
      ? [ofBytes(response, 'multipart', 'has parts behind the boundary of its Content-Type', 'RFC 7578 4.1')]
      : []),
    ...(has('xml')
      ? [ofBytes(response, 'xml', 'is well-formed XML with the declared root element', 'XML 1.0 2.1')]
      : []),
  ]
}

/** Whether a requirement on a type holds of any text, element or list of elements. */
const isAnyText = ({ root, format }: JudgedMedia, subject: ObligationSpec['subject']): boolean => {
  if (subject.kind !== 'response' || subject.aspect !== 'schema' || subject.keyword !== 'type') return false
  if (writtenAs(format, subject.place) === 'json') return false
  const types = listPlaces(root).find(({ pattern }) => pattern === subject.place)?.types ?? []
  return types.some(type => type === 'string' || type === 'object' || type === 'array')
}

/** Responses of one status that share a schema share what is derived from it. */
const schemaObligations = (exact: Exact, status: string, root: SchemaPlace): readonly ObligationSpec[] => {
  const ofSchema = shared.get(root) ?? new Map<string, readonly ObligationSpec[]>()
  shared.set(root, ofSchema)
  const specs = ofSchema.get(status) ?? fromSchema(exact, status, root)
  ofSchema.set(status, specs)
  return specs
}

const shared = new WeakMap<SchemaPlace, Map<string, readonly ObligationSpec[]>>()

const fromSchema = (exact: Exact, status: string, root: SchemaPlace): readonly ObligationSpec[] => {
  const whole = responseText(status)
  return listPlaces(root).flatMap(({ pattern, keywords }) =>
    keywords
      .filter(use => !isAnnotation(use))
      .flatMap(use => {
        const { keyword, value, pointer } = use
        const required = keyword === 'required' ? (value as readonly string[]) : null
        const location = pattern === '' ? `the body of ${whole}` : `\`${placeText(pattern)}\` in ${whole}`
        return (required ?? [null]).map(name => {
          const place = name === null ? pattern : step(pattern, name)
          return responseObligation(
            pointer,
            name === null
              ? `${location} must ${constraintText(keyword, asWritten(use, exact))}`
              : `${pattern === '' ? whole : location} has \`${name}\``,
            { kind: 'response', aspect: 'schema', status, place, keyword },
          )
        })
      }),
  )
}

const restObligations = (response: DeclaredResponse, root: SchemaPlace): readonly ObligationSpec[] => {
  if (!hasMore(root)) return []
  const { status } = response
  const requirement = `the body of ${responseText(status)} fits the rest of its schema`
  return [
    responseObligation(response.pointer, requirement, {
      kind: 'response',
      aspect: 'schema',
      status,
      place: '',
      keyword: 'schema',
    }),
  ]
}

const partial = ['patternProperties', 'unevaluatedItems', '$dynamicRef']

/** Whether a schema says more than its tree of places shows: of parts that have no place, or that are too deep. */
const hasMore = (root: SchemaPlace): boolean =>
  listPlaces(root).some(
    ({ keywords, children, properties }) =>
      keywords.some(({ keyword }) => partial.includes(keyword)) ||
      (children.length === 0 &&
        (properties.length > 0 ||
          keywords.some(({ keyword, value }) => keyword === 'items' && value !== false))),
  )

const headerObligations = (response: DeclaredResponse): readonly ObligationSpec[] =>
  response.headers.map(({ name, required, pointer }) =>
    responseObligation(
      pointer,
      `the header ${name} of ${responseText(response.status)} ${required ? 'is present and fits' : 'fits'} its schema`,
      { kind: 'response', aspect: 'header', status: response.status, header: name },
    ),
  )

const echoObligations = (
  context: OperationContext,
  response: DeclaredResponse,
  root: SchemaPlace,
): readonly ObligationSpec[] =>
  echoesOf(context, response, root).map(({ name, isAbsentToo }) => {
    const { status } = response
    const requirement = `${responseText(status)} has the same \`${name}\` as the request`
    return responseObligation(
      response.pointer,
      isAbsentToo ? `${requirement}, and none if none was sent` : requirement,
      { kind: 'response', aspect: 'echo', status, name },
      { level: 'SHOULD' },
    )
  })
