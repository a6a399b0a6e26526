import type { SchemaPlace } from '../places.ts'
import type { Context, Draft } from './context.ts'

/** The same body may be written and sent in many ways. */
export const writingObligations = ({ operation, body }: Context): readonly Draft[] => {
  if (body === null || operation.body === null) return []
  const at = body.media.pointer
  const hasMembers = isObjectPlace(body.root)
  const isOrdered = hasMembers && body.root.properties.length > 1
  const wire = (
    path: string,
    promise: string,
    rfc: string | undefined,
    subject: Draft['subject'],
    level: Draft['level'] = 'MUST',
  ): Draft => ({
    path,
    family: 'accept',
    level,
    promise,
    pointer: at,
    subject,
    ...(rfc === undefined ? {} : { rfc }),
  })
  const keyOrder = wire(
    'request/layout/key-order',
    'the order of the properties changes nothing',
    body.in === 'form' ? undefined : 'RFC 8259 4',
    {
      kind: 'layout',
      layout: 'key-order',
    },
  )
  const letterCase = wire(
    'request/content-type/letter-case',
    'the media type is written in any letter case',
    'RFC 9110 8.3.1',
    {
      kind: 'media',
      name: 'letter-case',
      contentTypes: [
        body.media.type.toUpperCase(),
        body.media.type.replace(/^\w|\/\w/g, part => part.toUpperCase()),
      ],
      accepted: true,
    },
  )
  const chunked = wire('request/framing/chunked', 'a body sent in chunks is accepted', 'RFC 9112 7.1', {
    kind: 'framing',
    name: 'chunked',
  })
  if (body.in === 'form') return [...(isOrdered ? [keyOrder] : []), letterCase, chunked]
  return [
    wire(
      'request/layout/whitespace',
      'white space between the parts of the JSON changes nothing',
      'RFC 8259 2',
      { kind: 'layout', layout: 'whitespace' },
    ),
    ...(isOrdered ? [keyOrder] : []),
    ...(hasMembers
      ? [
          wire(
            'request/layout/escaped-names',
            'names written with \\u escapes are the same names',
            'RFC 8259 7',
            { kind: 'layout', layout: 'escaped-names' },
          ),
        ]
      : []),
    wire(
      'request/layout/escaped-values',
      'strings written with \\u escapes are the same strings',
      'RFC 8259 7',
      { kind: 'layout', layout: 'escaped-values' },
    ),
    wire('request/content-type/charset', 'the media type may carry a charset parameter', 'RFC 8259 11', {
      kind: 'media',
      name: 'charset',
      contentTypes: ['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; Charset=Utf-8'].map(
        parameter => body.media.type + parameter,
      ),
      accepted: true,
    }),
    letterCase,
    chunked,
    wire(
      'request/size/100-kilobytes',
      'a body of 100 kilobytes, most of it white space, should be accepted',
      'RFC 8259 9',
      { kind: 'size', bytes: 100_000 },
      'SHOULD',
    ),
  ]
}

export const isObjectPlace = (place: SchemaPlace): boolean =>
  place.types?.includes('object') === true || place.properties.length > 0
