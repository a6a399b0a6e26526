import type { BodyFormat } from '../../contract/contract.ts'
import { identityOf } from '../../contract/identity.ts'
import { declaresRejection, invalidParts, successStatuses } from '../../contract/rejection-statuses.ts'
import { isClosed } from '../../schema/closed.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { rejectedPart, rejectionQuestions } from '../rejection-question.ts'
import type { OpenQuestion } from '../subject.ts'
import { byDeclaredFailure, byDeclaredSuccess, openRequirement } from './requirement.ts'

/** The contract's open questions: the responses are recorded, not judged. */
export const unspecifiedObligations = (context: OperationContext): readonly ObligationSpec[] => {
  const { operation, body } = context
  const identity = body === null ? null : identityOf(operation, body.root)
  return [
    ...(operation.security.length > 0
      ? [open(context, 'credentials', 'a request with missing or wrong credentials')]
      : []),
    ...(identity === null
      ? []
      : [open(context, 'duplicate-id', `a second request with the same \`${identity.name}\``)]),
    ...(body?.in !== 'body'
      ? []
      : [
          open(context, 'duplicate-names', 'a body that repeats a property'),
          open(context, 'byte-order-mark', 'a body that begins with a byte order mark'),
          open(context, 'other-charset', 'a body that announces another charset than UTF-8'),
          open(context, 'large-body', 'a body of 256 kilobytes'),
          open(context, 'content-coding', 'a body compressed with gzip'),
        ]),
    // If no other properties are allowed, these are rejected, so the question is not open.
    ...(body === null || !hasProperties(body.format) || isClosed(body.root)
      ? []
      : [
          open(context, 'undeclared-property', 'a body with an undeclared property'),
          ...(body.in === 'body' && body.root.types?.join() === 'object'
            ? [open(context, 'odd-properties', 'a body with undeclared properties of odd names or values')]
            : []),
          ...(body.in === 'body'
            ? [open(context, 'lone-surrogate', 'a body with half a surrogate pair')]
            : []),
        ]),
    // Of a GET it is a requirement: frameworks that read the body of any other method may reject an empty one.
    ...(body === null && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(operation.method)
      ? [open(context, 'type-of-no-body', 'a request with the Content-Type of a body that it does not have')]
      : []),
    open(context, 'other-method', 'an undeclared method on the path'),
    open(context, 'other-path', 'a request for an undeclared path'),
    open(context, 'other-accept', 'a request that accepts other media types only'),
    open(context, 'undeclared-parameter', 'an undeclared query parameter'),
  ]
}

/** A text and a file have none. */
const hasProperties = ({ kind }: BodyFormat): boolean => kind !== 'text' && kind !== 'binary'

const open = ({ operation }: OperationContext, name: OpenQuestion, input: string): ObligationSpec => ({
  family: 'unspecified',
  level: 'OBSERVE',
  input,
  requirement: openRequirement(input),
  pointer: operation.pointer,
  subject: { kind: 'unspecified', name },
})

/**
 * The requirements of an operation, by what its document declares: if no declared failure fits, any failure will do, and which one comes
 * is an open question.
 */
export const withUndeclaredStatuses = (
  { operation }: OperationContext,
  specs: readonly ObligationSpec[],
): readonly ObligationSpec[] => {
  const silent = (['credentials', 'media', 'body', 'parameter'] as const).filter(
    part => !declaresRejection(operation, part),
  )
  const hasSuccess = successStatuses(operation).length > 0
  if (silent.length === 0 && hasSuccess) return specs
  return [
    ...specs.map(spec => {
      const part = rejectedPart(spec)
      if (part !== null && silent.includes(part)) return withoutWords(spec, byDeclaredFailure)
      return hasSuccess ? spec : withoutWords(spec, byDeclaredSuccess)
    }),
    ...silent.flatMap((part): readonly ObligationSpec[] =>
      part === 'credentials' || !specs.some(spec => rejectedPart(spec) === part)
        ? []
        : [
            {
              family: 'unspecified',
              level: 'OBSERVE',
              input: invalidParts[part],
              requirement: `the contract does not specify how ${invalidParts[part]} is rejected`,
              pointer: operation.pointer,
              subject: { kind: 'unspecified', name: rejectionQuestions[part] },
            },
          ],
    ),
  ]
}

/** The spec without these words in its requirement; operations that share the one share the other. */
const withoutWords = (spec: ObligationSpec, words: string): ObligationSpec => {
  if (!spec.requirement.includes(words)) return spec
  const known = shorter.get(spec) ?? { ...spec, requirement: spec.requirement.replace(words, '') }
  shorter.set(spec, known)
  return known
}

// No requirement has the words of both kinds.
const shorter = new WeakMap<ObligationSpec, ObligationSpec>()
