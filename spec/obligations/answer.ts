import type { ResponseClause } from '../contract.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../places.ts'
import { step } from '../pointer.ts'
import { isAnnotation } from './annotations.ts'
import { lengthDraft } from './challenge.ts'
import { type Context, type Draft, jsonMedia } from './context.ts'

/** What every answer keeps to, whatever the request was. */
export const answerObligations = (context: Context): readonly Draft[] => [
  ...(context.operation.responses.length === 0 ? [] : [declaredObligation(context)]),
  ...context.operation.responses.flatMap(response => responseObligations(context, response)),
]

const declaredObligation = (context: Context): Draft => ({
  path: 'response/declared',
  family: 'answer',
  level: 'MUST',
  promise: `every answer has a declared status: ${context.operation.responses.map(({ status }) => status).join(', ')}`,
  pointer: step(context.operation.pointer, 'responses'),
  subject: { kind: 'answer', aspect: 'declared' },
})

const responseObligations = (context: Context, response: ResponseClause): readonly Draft[] => {
  const { status } = response
  const draft = (
    path: string,
    promise: string,
    subject: Draft['subject'],
    rest: Partial<Draft> = {},
  ): Draft => ({
    path: `response/${status}/${path}`,
    family: 'answer',
    level: 'MUST',
    promise,
    pointer: response.pointer,
    subject,
    ...rest,
  })
  const json = jsonMedia(response.media)
  const headers = response.headers.map(header =>
    draft(
      `headers/${header.name.toLowerCase()}`,
      `the header ${header.name} of a ${status} ${header.required ? 'is there and keeps' : 'keeps'} its schema`,
      { kind: 'answer', aspect: 'header', status, header: header.name },
      { pointer: header.pointer },
    ),
  )
  if (response.media.length === 0) return headers
  const type = draft(
    'content-type',
    `a ${status} is answered as ${response.media.map(media => media.type).join(' or ')}`,
    { kind: 'answer', aspect: 'content-type', status },
    { pointer: step(response.pointer, 'content') },
  )
  const length = lengthDraft(response.pointer, status)
  if (json?.schema == null) return [type, length, ...headers]
  const bytes = [
    draft(
      'encoding',
      `the body of a ${status} is UTF-8`,
      { kind: 'answer', aspect: 'encoding', status },
      { rfc: 'RFC 8259 8.1' },
    ),
    draft(
      'bom',
      `the body of a ${status} has no byte order mark`,
      { kind: 'answer', aspect: 'bom', status },
      { rfc: 'RFC 8259 8.1' },
    ),
    draft(
      'json',
      `the body of a ${status} is JSON`,
      { kind: 'answer', aspect: 'json', status },
      { rfc: 'RFC 8259 2' },
    ),
    draft(
      'duplicate-names',
      `the body of a ${status} names no property twice`,
      { kind: 'answer', aspect: 'duplicate-names', status },
      { rfc: 'RFC 8259 4' },
    ),
  ]
  const root = placesOf(context.contract.document, json.schema)
  const schema = listPlaces(root).flatMap(place =>
    place.keywords
      .filter(({ keyword }) => !isAnnotation(keyword))
      .flatMap(({ keyword, value, pointer }) => {
        const at = place.pattern.slice(1)
        const names = keyword === 'required' ? (value as readonly string[]) : [null]
        return names.map(name => {
          const inside = [at, name].filter(Boolean).join('/')
          const asked = typeof value === 'string' || typeof value === 'number' ? ` ${value}` : ''
          return draft(
            `body/${inside === '' ? '' : `${inside}/`}${keyword}`,
            name === null
              ? `${at === '' ? `the body of a ${status}` : `\`${at}\` of a ${status}`} keeps \`${keyword}\`${asked}`
              : `a ${status} has \`${inside}\``,
            {
              kind: 'answer',
              aspect: 'schema',
              status,
              place: name === null ? place.pattern : step(place.pattern, name),
              keyword,
            },
            { pointer },
          )
        })
      }),
  )
  const rest = hasMore(root)
    ? [
        draft('body/schema', `the body of a ${status} keeps its schema in all else`, {
          kind: 'answer',
          aspect: 'schema',
          status,
          place: '',
          keyword: 'schema',
        }),
      ]
    : []
  return [
    type,
    ...bytes,
    length,
    ...schema,
    ...rest,
    ...headers,
    ...echoes(context, response, root.properties),
  ]
}

const partial = ['patternProperties', 'prefixItems', 'unevaluatedItems', '$dynamicRef']

/** Whether a schema says more than its places tell: of parts without a place, or deeper down than they are followed. */
const hasMore = (root: SchemaPlace): boolean =>
  listPlaces(root).some(
    ({ keywords, children, properties }) =>
      keywords.some(({ keyword }) => partial.includes(keyword)) ||
      (children.length === 0 &&
        (properties.length > 0 ||
          keywords.some(({ keyword, value }) => keyword === 'items' && value !== false))),
  )

const echoes = (
  context: Context,
  response: ResponseClause,
  properties: readonly string[],
): readonly Draft[] => {
  const sent = context.body?.root.properties ?? []
  if (!/^2/.test(response.status)) return []
  return properties
    .filter(name => sent.includes(name))
    .map(name => ({
      path: `response/${response.status}/echo/${name}`,
      family: 'answer',
      level: 'SHOULD',
      promise: `a ${response.status} carries the \`${name}\` that was sent, and none where none was`,
      pointer: response.pointer,
      subject: { kind: 'answer', aspect: 'echo', status: response.status, name },
    }))
}
