import type { SchemaPlace } from '../../schema/locations.ts'
import { plainValidity } from '../../schema/plain-validity.ts'
import { isValidAt } from '../../schema/validator.ts'
import type { ObligationSpec } from '../obligation.ts'
import { isReadable, type OperationContext } from '../operation-context.ts'
import { acceptRequirement } from './requirement.ts'

/** A valid body is accepted in every encoding that JSON, media types and HTTP allow. */
export const encodingObligations = ({
  contract,
  operation,
  body,
}: OperationContext): readonly ObligationSpec[] => {
  if (body === null || operation.body === null) return []
  const { type, pointer } = body.media
  const hasMembers = isObjectPlace(body.root)
  const isOrdered = hasMembers && body.root.properties.length > 1
  const accepted = (
    input: string,
    rfc: string | null,
    subject: ObligationSpec['subject'],
    level: ObligationSpec['level'] = 'MUST',
  ): ObligationSpec => ({
    family: 'accept',
    level,
    input,
    requirement: acceptRequirement(input, level),
    pointer,
    subject,
    ...(rfc === null ? {} : { rfc }),
  })
  const keyOrder = accepted(
    'a body with its properties in another order',
    body.in === 'form' ? null : 'RFC 8259 4',
    { kind: 'layout', layout: 'key-order' },
    // XML has an order, of which OpenAPI says nothing.
    body.format.kind === 'xml' ? 'SHOULD' : 'MUST',
  )
  const letterCase = accepted('a Content-Type in another letter case', 'RFC 9110 8.3.1', {
    kind: 'media',
    name: 'letter-case',
    contentTypes: [type.toUpperCase(), type.replace(/^\w|\/\w/g, part => part.toUpperCase())],
    isAccepted: true,
  })
  const chunked = accepted('a body sent in chunks', 'RFC 9112 7.1', {
    kind: 'framing',
    name: 'chunked',
  })
  const others = operation.body.media
    .filter(media => media !== body.media && isReadable(media))
    .map(media => ({
      ...accepted(`a body of type ${media.type}`, null, {
        kind: 'media',
        name: media.type,
        contentTypes: [media.type],
        isAccepted: true,
      }),
      pointer: media.pointer,
    }))
  if (body.in === 'form') return [...(isOrdered ? [keyOrder] : []), letterCase, chunked, ...others]
  return [
    accepted('a body with white space between its JSON tokens', 'RFC 8259 2', {
      kind: 'layout',
      layout: 'whitespace',
    }),
    ...(isOrdered ? [keyOrder] : []),
    ...(hasMembers
      ? [
          accepted('a body with \\u escapes in its property names', 'RFC 8259 7', {
            kind: 'layout',
            layout: 'escaped-names',
          }),
        ]
      : []),
    accepted('a body with \\u escapes in its strings', 'RFC 8259 7', {
      kind: 'layout',
      layout: 'escaped-values',
    }),
    ...(mayHaveText(contract, body)
      ? [
          accepted('a body with short escapes in its strings', 'RFC 8259 7', {
            kind: 'layout',
            layout: 'short-escapes',
          }),
        ]
      : []),
    accepted('a Content-Type with a charset parameter', 'RFC 8259 11', {
      kind: 'media',
      name: 'charset',
      contentTypes: [
        '; charset=utf-8',
        ';charset=UTF-8',
        '; charset="utf-8"',
        '; Charset=Utf-8',
        ' ; charset=utf-8',
      ].map(parameter => type + parameter),
      isAccepted: true,
    }),
    letterCase,
    chunked,
    accepted('a body of 100 kilobytes', 'RFC 8259 9', { kind: 'size', bytes: 100_000 }, 'SHOULD'),
    ...others,
  ]
}

/** What short escapes stand for, and most texts may be. */
export const escapedText = 'a/b "c" \\d'

/** Whether a property of the body, other than what tells resources apart, may be such a text. */
const mayHaveText = (
  { requests: { document, schemas } }: OperationContext['contract'],
  { root }: NonNullable<OperationContext['body']>,
): boolean =>
  root.children.some(
    place =>
      place.types?.join() === 'string' &&
      !place.pattern.endsWith('/*') &&
      (plainValidity(document, place)(escapedText) ?? isValidAt(schemas, place, escapedText)),
  )

const isObjectPlace = (place: SchemaPlace): boolean =>
  place.types?.includes('object') === true || place.properties.length > 0
