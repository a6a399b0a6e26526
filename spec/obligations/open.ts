import { identityOf } from '../identity.ts'
import type { SchemaPlace } from '../places.ts'
import type { OpenQuestion } from '../subject.ts'
import type { Context, Draft } from './context.ts'

/** The contract's open questions: what happens is recorded, not judged. */
export const openObligations = (context: Context): readonly Draft[] => {
  const { operation, body } = context
  const open = (name: OpenQuestion, promise: string): Draft => ({
    path: `open/${name}`,
    family: 'open',
    level: 'OBSERVE',
    promise,
    pointer: operation.pointer,
    subject: { kind: 'open', name },
  })
  const identity = body === null ? null : identityOf(operation, body.root)
  return [
    ...(operation.security.length > 0
      ? [open('credentials', 'how missing and wrong credentials are answered')]
      : []),
    ...(identity === null
      ? []
      : [open('duplicate-id', `what happens when \`${identity.name}\` is sent a second time`)]),
    ...(body?.in !== 'body'
      ? []
      : [
          open('duplicate-names', 'what happens when a property is named twice in one body'),
          open('byte-order-mark', 'what happens to a byte order mark before the body'),
          open('large-body', 'what happens to a body of 256 kilobytes'),
        ]),
    // Where no other properties are allowed, these are refused: the question is not open.
    ...(body === null || isClosed(body.root)
      ? []
      : [
          open('undeclared-property', 'what happens to a property that is not declared'),
          ...(body.in === 'body' ? [open('lone-surrogate', 'what happens to half of a surrogate pair')] : []),
        ]),
    open('other-method', 'how another method on the path is answered'),
    open('other-path', 'how a path that is not declared is answered'),
  ]
}

const isClosed = ({ keywords }: SchemaPlace): boolean =>
  keywords.some(
    ({ keyword, value }) =>
      (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') && value === false,
  )
