import type { BodyFormat, BodyPart } from '../../contract/contract.ts'
import { mayBeEmpty } from '../../contract/form-fields.ts'
import { mediaType, takesMedia } from '../../http/exchange.ts'
import { step } from '../../json/pointer.ts'
import type { SchemaPlace } from '../../schema/locations.ts'
import { typedProperties } from '../../schema/typed-properties.ts'
import { malformedKindsOf } from '../inputs/malformed-bodies.ts'
import { malformedKinds } from '../inputs/malformed-json.ts'
import { shownInJson } from '../inputs/shown-in-json.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { showsIn } from '../shows.ts'
import { rejectRequirement } from './requirement.ts'

/** What is rejected before a schema comes into play: no body, bytes that are not JSON, undeclared media types. */
export const bytesObligations = ({ operation, body }: OperationContext): readonly ObligationSpec[] => {
  if (operation.body === null || body === null) return []
  const rejected = (
    input: string,
    subject: ObligationSpec['subject'],
    rest: Partial<ObligationSpec> = {},
  ): ObligationSpec => ({
    family: 'reject',
    level: 'MUST',
    input,
    requirement: rejectRequirement(input, rest.level),
    pointer: body.media.pointer,
    subject,
    ...rest,
  })
  const required = { pointer: step(operation.body.pointer, 'required') }
  const noBody = [
    rejected('a request without a body', { kind: 'no-body', name: 'absent' }, required),
    rejected('a request with an empty body', { kind: 'no-body', name: 'empty' }, required),
  ]
  const declared = operation.body.media.map(({ type }) => type)
  return [
    ...(operation.body.required ? noBody.slice(0, mayBeEmpty(body.format) ? 1 : 2) : []),
    // An empty form looks like no body.
    ...(body.root.types?.join() === 'object' &&
    body.root.required.length > 1 &&
    body.root.required.some(showsIn(body.format, body.root, '').without) &&
    (body.in === 'body' || operation.body.required)
      ? [
          rejected('an object without any property', {
            kind: 'no-body',
            name: 'empty-object',
          }),
        ]
      : []),
    // What is required is not there.
    ...(body.in === 'body' && body.root.types?.join() === 'object' && body.root.required.length > 0
      ? [
          rejected('an object whose properties have other names, or are further inside', {
            kind: 'displaced',
          }),
        ]
      : []),
    // A server may stop at the first fault that it finds, and take what comes after for right.
    ...(body.in === 'body' && typedProperties(body.root).length > 1
      ? [
          rejected('a body with two invalid properties', {
            kind: 'several-violations',
          }),
        ]
      : []),
    ...(body.in === 'form' ? [] : malformedIn(body.root)).map(({ name, fault }) =>
      rejected(
        `malformed JSON (${fault})`,
        { kind: 'malformed', format: 'json', name },
        { rfc: 'RFC 8259 2' },
      ),
    ),
    ...malformedKindsOf(body.format).map(({ name, input, level, rfc }) =>
      rejected(input, { kind: 'malformed', format: body.format.kind, name }, { level, rfc }),
    ),
    ...undeclaredMedia.flatMap(({ name, input, types, level }) => {
      const contentTypes = types.filter(
        type => type === null || !declared.some(range => takesMedia(range, mediaType(type) ?? '')),
      )
      const isLookalike = name === body.format.kind
      return contentTypes.length === 0
        ? []
        : [
            rejected(
              input,
              { kind: 'media', name, contentTypes, isAccepted: false },
              { level: level ?? (isLookalike ? 'SHOULD' : 'MUST') },
            ),
          ]
    }),
  ]
}

/** The ways to break the JSON of a value, which may have no quotation mark, bracket or member to be missing. */
const malformedIn = (root: SchemaPlace): typeof malformedKinds => {
  const shown = shownInJson(root)
  return malformedKinds.filter(({ needs }) => needs === undefined || shown.has(needs))
}

const undeclaredMedia: readonly {
  readonly name: string
  readonly input: string
  readonly types: readonly (string | null)[]
  readonly level?: ObligationSpec['level']
}[] = [
  // A recipient may examine the data instead (RFC 9110 8.3).
  { name: 'absent', level: 'SHOULD', input: 'a body without a Content-Type', types: [null] },
  { name: 'json', input: 'a body of type application/json', types: ['application/json'] },
  { name: 'text', input: 'a body of type text/plain', types: ['text/plain', 'text/plain; charset=utf-8'] },
  {
    name: 'form',
    input: 'a body of type application/x-www-form-urlencoded',
    types: ['application/x-www-form-urlencoded'],
  },
  {
    name: 'multipart',
    input: 'a body of type multipart/form-data',
    types: ['multipart/form-data; boundary=x', 'multipart/form-data'],
  },
  { name: 'xml', input: 'a body of an XML type', types: ['application/xml', 'text/xml'] },
  {
    name: 'octet-stream',
    input: 'a body of type application/octet-stream',
    types: ['application/octet-stream'],
  },
  { name: 'range', level: 'SHOULD', input: 'a body of a media range', types: ['*/*', 'application/*'] },
  // Many parsers take any type with the suffix for JSON, and JSON for a kind of it. It is undeclared, but harmless.
  {
    name: 'json-suffix',
    level: 'SHOULD',
    input: 'a body of an undeclared +json type',
    types: ['application/problem+json', 'application/merge-patch+json', 'application/vnd.example+json'],
  },
  {
    name: 'json-like',
    level: 'SHOULD',
    input: 'a body of a type that resembles JSON’s',
    types: ['text/json', 'application/jsonp', 'application/x-json', 'application/json-seq'],
  },
]

/** What a part of a `multipart/form-data` body has to have besides its value: its media type, and its headers. */
export const partObligations = (format: BodyFormat): readonly ObligationSpec[] =>
  format.kind === 'multipart' ? format.parts.flatMap(obligationsOfPart) : []

const obligationsOfPart = (part: BodyPart): readonly ObligationSpec[] => {
  const { name, types, headers } = part
  const contentTypes = otherTypes.filter(
    type => !types.some(range => takesMedia(range, mediaType(type) ?? '')),
  )
  const rejected = (input: string, pointer: string, subject: ObligationSpec['subject']): ObligationSpec => ({
    family: 'reject',
    level: 'MUST',
    input,
    requirement: rejectRequirement(input),
    pointer,
    subject,
  })
  return [
    ...(types.length === 0 || contentTypes.length === 0
      ? []
      : [
          rejected(`a part \`${name}\` of another media type than ${types.join(' or ')}`, part.pointer, {
            kind: 'part',
            part: name,
            contentTypes,
            header: null,
          }),
        ]),
    ...headers
      .filter(({ required }) => required)
      .map(header =>
        rejected(`a part \`${name}\` without the header ${header.name}`, step(header.pointer, 'required'), {
          kind: 'part',
          part: name,
          contentTypes: [],
          header: header.name,
        }),
      ),
  ]
}

/** What parts are sent as where that is wrong. */
const otherTypes = ['text/plain', 'application/octet-stream', 'application/json', 'application/x-unknown']
