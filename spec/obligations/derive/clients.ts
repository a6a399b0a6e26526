import type { Contract, Operation } from '../../contract/contract.ts'
import { formatOf } from '../../contract/form-fields.ts'
import { isJsonMedia, mediaType, takesMedia } from '../../http/exchange.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import { askedType, clientFields } from '../inputs/client-fields.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { acceptRequirement } from './requirement.ts'

/** A valid request is accepted with what ordinary clients and proxies add to it. */
export const clientObligations = (context: OperationContext): readonly ObligationSpec[] => {
  const { operation } = context
  return [
    ...(declares(operation, 'accept') ? [] : typesObligation(context)),
    ...clientFields.flatMap(({ name, input, level: usual, rfc, fields }): readonly ObligationSpec[] => {
      // HTTP lets a server be strict about `Accept`, and those that give pictures and pages often want theirs to be named.
      const level = name === 'accept' && !hasJson(operation) ? 'SHOULD' : usual
      const variants = fields.filter(variant => mayHave(operation, variant))
      return variants.length === 0
        ? []
        : [
            {
              family: 'accept',
              level,
              input: `a request ${inputFor(operation, input)}`,
              requirement: acceptRequirement(`a request ${inputFor(operation, input)}`, level),
              pointer: operation.pointer,
              rfc,
              subject: { kind: 'extra', name, variants },
            },
          ]
    }),
  ]
}

const declares = ({ parameters }: Operation, header: string): boolean =>
  parameters.some(({ name }) => name.toLowerCase() === header)

/** Whether a request may have these fields, and gets the same response with them. */
const mayHave = (operation: Operation, fields: readonly ExtraField[]): boolean =>
  !fields.some(
    ({ name }) =>
      declares(operation, name.toLowerCase()) ||
      (name === 'Range' && operation.method === 'GET') ||
      // Frameworks that read the body of any other method may reject an empty one.
      (name === 'Content-Type' && (operation.method !== 'GET' || operation.body !== null)),
  ) && allowsDeclared(operation, fields)

/** What invalid requests have as well, in groups of which each has one at most: how a server rejects them may depend on who asks. */
export const clientsOf = (operation: Operation): readonly (readonly (readonly ExtraField[])[])[] =>
  [
    ...clientFields
      .filter(({ level, name }) => level === 'MUST' && !heavy.includes(name))
      .map(({ fields }) => fields),
    [[{ in: 'header', name: 'Expect', value: '100-continue' } as const]],
  ].map(group =>
    group.filter(
      fields => mayHave(operation, fields) && fields.every(({ value }) => value.length < longValue),
    ),
  )

const longValue = 1000

/** Those that take up much of a request. */
const heavy = ['long', 'conditions']

/**
 * Who asks for one of the media types of a success alone gets that one, whatever was asked for before: caches that forget `Accept` give
 * the first one to all. HTTP lets a server disregard `Accept`, so that this is no more than expected of it.
 */
const typesObligation = ({ contract, operation }: OperationContext): readonly ObligationSpec[] => {
  const types = negotiableTypes(contract, operation)
  const [first] = types
  if (first === undefined || types.length < 2) return []
  const input = 'a request for one of the declared media types alone'
  return [
    {
      family: 'accept',
      level: 'SHOULD',
      input,
      requirement: `${input} should get that one`,
      pointer: operation.pointer,
      rfc: 'RFC 9110 12.5.1',
      // The first once more: what came in between must not change the response.
      subject: {
        kind: 'extra',
        name: askedType,
        variants: [...types, first].map(value => [{ in: 'header', name: 'Accept', value }]),
      },
    },
  ]
}

/** The media types of the first success among which a client can choose, and that anybody can write. */
const negotiableTypes = (
  { responses: { document } }: Contract,
  { responses }: Operation,
): readonly string[] => {
  const success = responses.find(({ status }) => /^2/.test(status))
  return (success?.media ?? [])
    .filter(
      ({ type, schema, pointer }) =>
        !type.includes('*') && schema !== null && formatOf(document, pointer, type).kind !== 'opaque',
    )
    .map(({ type }) => type)
}

/** The media types of a success. */
const successTypes = ({ responses, produces }: Operation): readonly string[] => [
  ...responses
    .filter(({ status }) => /^2|default/.test(status))
    .flatMap(({ media }) => media.map(({ type }) => type)),
  ...(produces ?? []),
]

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

const hasJson = (operation: Operation): boolean => {
  const types = successTypes(operation)
  return types.length === 0 || types.some(type => type.includes('*') || isJsonMedia(mediaType(type) ?? ''))
}

const inputFor = (operation: Operation, input: string): string =>
  hasJson(operation) ? input : input.replace(' that allows JSON', '')
