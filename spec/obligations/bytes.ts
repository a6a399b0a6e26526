import { mediaType, takesMedia } from '../exchange.ts'
import { step } from '../pointer.ts'
import type { Context, Draft } from './context.ts'
import { malformedKinds } from './malformed.ts'

/** What is refused before any schema is looked at: no body, bytes that are not JSON, other media types. */
export const bytesObligations = ({ operation, body }: Context): readonly Draft[] => {
  if (operation.body === null || body === null) return []
  const pointer = body.media.pointer
  const required = step(operation.body.pointer, 'required')
  const refuse = (
    path: string,
    promise: string,
    subject: Draft['subject'],
    rest: Partial<Draft> = {},
  ): Draft => ({
    path: `request/${path}`,
    family: 'refuse',
    level: 'MUST',
    promise,
    pointer,
    subject,
    ...rest,
  })
  const declared = operation.body.media.map(({ type }) => type)
  // An empty form is one without any field.
  const noBody: readonly Draft[] = [
    refuse(
      'body/required/absent',
      'a request without a body is refused',
      { kind: 'no-body', name: 'absent' },
      { pointer: required },
    ),
    refuse(
      'body/required/empty',
      'a request with an empty body is refused',
      { kind: 'no-body', name: 'empty' },
      { pointer: required },
    ),
  ]
  return [
    ...(operation.body.required ? noBody.slice(0, body.in === 'form' ? 1 : 2) : []),
    ...(body.root.types?.join() === 'object' && body.root.required.length > 1
      ? [
          refuse('body/required/empty-object', 'an object without any property is refused', {
            kind: 'no-body',
            name: 'empty-object',
          }),
        ]
      : []),
    ...(body.in === 'form' ? [] : malformedKinds).map(({ name, about }) =>
      refuse(
        `body/json/${name}`,
        `a body that is not JSON is refused: ${about}`,
        { kind: 'malformed', name },
        { rfc: 'RFC 8259 2' },
      ),
    ),
    ...otherMedia.flatMap(({ name, about, types, ...rest }) => {
      const level = rest.level ?? (name === 'json' && body.in === 'body' ? 'SHOULD' : 'MUST')
      const contentTypes = types.filter(
        type => type === null || !declared.some(own => takesMedia(own, mediaType(type) ?? '')),
      )
      const promise = `a body ${about} ${level === 'MUST' ? 'is' : 'should be'} refused: only ${declared.join(' and ')} is declared`
      return contentTypes.length === 0
        ? []
        : [
            refuse(
              `content-type/${name}`,
              promise,
              { kind: 'media', name, contentTypes, accepted: false },
              { level },
            ),
          ]
    }),
  ]
}

const otherMedia: readonly {
  readonly name: string
  readonly about: string
  readonly types: readonly (string | null)[]
  readonly level?: Draft['level']
}[] = [
  { name: 'absent', about: 'without a media type', types: [null] },
  { name: 'json', about: 'of type application/json', types: ['application/json'] },
  { name: 'text', about: 'of type text/plain', types: ['text/plain', 'text/plain; charset=utf-8'] },
  { name: 'form', about: 'of a form’s type', types: ['application/x-www-form-urlencoded'] },
  { name: 'multipart', about: 'of type multipart/form-data', types: ['multipart/form-data; boundary=x'] },
  { name: 'xml', about: 'of type application/xml', types: ['application/xml', 'text/xml'] },
  { name: 'octet-stream', about: 'of type application/octet-stream', types: ['application/octet-stream'] },
  // Many parsers take what is JSON in all but name, and JSON for a kind of it; it is not declared, but nobody is misled.
  {
    name: 'json-suffix',
    level: 'SHOULD',
    about: 'of another type that is written as JSON',
    types: ['application/problem+json', 'application/merge-patch+json', 'application/vnd.example+json'],
  },
  {
    name: 'json-like',
    level: 'SHOULD',
    about: 'of a type that looks like JSON’s',
    types: ['text/json', 'application/jsonp', 'application/x-json', 'application/json-seq'],
  },
]
