import { clientFields } from '../inputs/client-fields.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { acceptRequirement } from './requirement.ts'

/** A valid request is accepted with what ordinary clients and proxies add to it. */
export const clientObligations = ({ operation }: OperationContext): readonly ObligationSpec[] => {
  const declared = new Set(operation.parameters.map(({ name }) => name.toLowerCase()))
  return clientFields.flatMap(({ name, input, level, rfc, fields }): readonly ObligationSpec[] => {
    const variants = fields.filter(variant => !variant.some(field => declared.has(field.name.toLowerCase())))
    return variants.length === 0
      ? []
      : [
          {
            path: `request/header/${name}`,
            family: 'accept',
            level,
            input: `a request ${input}`,
            requirement: acceptRequirement(`a request ${input}`, level),
            pointer: operation.pointer,
            rfc,
            subject: { kind: 'extra', name, variants },
          },
        ]
  })
}
