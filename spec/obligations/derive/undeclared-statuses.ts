import { declaresRejection, invalidParts, successStatuses } from '../../contract/rejection-statuses.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { rejectedPart, rejectionQuestions } from '../rejection-question.ts'
import { byDeclaredFailure, byDeclaredSuccess } from './requirement.ts'

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
