import type { Operation } from '../../contract/contract.ts'
import { isJsonMedia, mediaType, takesMedia } from '../../http/exchange.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import { clientFields } from '../inputs/client-fields.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { acceptRequirement } from './requirement.ts'

/** A valid request is accepted with what ordinary clients and proxies add to it. */
export const clientObligations = ({ operation }: OperationContext): readonly ObligationSpec[] => {
  const declared = new Set(operation.parameters.map(({ name }) => name.toLowerCase()))
  return clientFields.flatMap(({ name, input, level, rfc, fields }): readonly ObligationSpec[] => {
    const variants = fields.filter(
      variant =>
        !variant.some(field => declared.has(field.name.toLowerCase())) && allowsDeclared(operation, variant),
    )
    return variants.length === 0
      ? []
      : [
          {
            path: `request/header/${name}`,
            family: 'accept',
            level,
            input: `a request ${inputFor(operation, input)}`,
            requirement: acceptRequirement(`a request ${inputFor(operation, input)}`, level),
            pointer: operation.pointer,
            rfc,
            subject: { kind: 'extra', name, variants },
          },
        ]
  })
}

/** The media types of a success. */
const successTypes = ({ responses }: Operation): readonly string[] =>
  responses
    .filter(({ status }) => /^2|default/.test(status))
    .flatMap(({ media }) => media.map(({ type }) => type))

/** Whether an Accept header among the fields allows a declared type: a server may answer 406 to any other. */
const allowsDeclared = (operation: Operation, fields: readonly ExtraField[]): boolean => {
  const types = successTypes(operation)
  const accept = fields.find(({ name }) => name === 'Accept')?.value
  if (accept === undefined || types.length === 0) return true
  const ranges = accept.split(',').map(range => mediaType(range) ?? '')
  return types.some(
    type => type.includes('*') || ranges.some(range => takesMedia(range, mediaType(type) ?? '')),
  )
}

const inputFor = (operation: Operation, input: string): string => {
  const types = successTypes(operation)
  const hasJson =
    types.length === 0 || types.some(type => type.includes('*') || isJsonMedia(mediaType(type) ?? ''))
  return hasJson ? input : input.replace(' that allows JSON', '')
}
