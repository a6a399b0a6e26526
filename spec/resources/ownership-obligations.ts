import type { Contract, Operation } from '../contract/contract.ts'
import type { ObligationSpec } from '../obligations/obligation.ts'
import type { OwnershipName } from '../obligations/subject.ts'
import { article } from '../schema/schema-violation.ts'
import { resourcesOf } from './graph.ts'
import { declaredCreatorOf, type Resource } from './resource.ts'

/**
 * What another user than the one that created a resource is kept from. No document says who owns what, so none of this is a MUST, but for
 * one thing: what a server refuses must have no effect, whoever owns it. Where an operation asks for no credentials, all share what it gives.
 */
export const ownershipObligations = (contract: Contract, operation: Operation): readonly ObligationSpec[] =>
  resourcesOf(contract).resources.flatMap(resource => {
    const creator = declaredCreatorOf(resource)
    if (creator === null || resource.read === null || !isOfToken(creator) || !isOfToken(operation)) return []
    const write = writeOf(resource, operation)
    const names: readonly OwnershipName[] = [
      ...(resource.read === operation ? (['other-read'] as const) : []),
      ...(resource.list === operation ? (['other-list'] as const) : []),
      ...(write === null ? [] : ([write, 'other-refused'] as const)),
    ]
    return names.map(name => specOf(name, resource, operation))
  })

const writeOf = ({ replace, change, remove }: Resource, operation: Operation): OwnershipName | null => {
  if (operation === replace) return 'other-replace'
  if (operation === change) return 'other-change'
  return operation === remove ? 'other-remove' : null
}

/** Whether the requests of an operation have the token, which says who sends them: not if anybody may send them, or by another secret alone. */
const isOfToken = ({ security, undeclared }: Operation): boolean =>
  undeclared !== undefined ||
  security[0]?.some(({ kind, secret }) => kind !== 'other' && secret === undefined) === true

const verbs: Readonly<
  Record<Exclude<OwnershipName, 'other-refused'>, readonly [verb: string, after: string]>
> = {
  'other-read': ['give', 'to'],
  'other-list': ['list', 'for'],
  'other-replace': ['replace', 'for'],
  'other-change': ['change', 'for'],
  'other-remove': ['remove', 'for'],
}

const specOf = (
  name: OwnershipName,
  { noun, path }: Resource,
  { id, pointer }: Operation,
): ObligationSpec => ({
  family: 'ownership',
  level: name === 'other-refused' ? 'MUST' : 'SHOULD',
  input: `a request of another user for ${article(noun)} that it did not create`,
  requirement:
    name === 'other-refused'
      ? `${id} leaves ${article(noun)} as it is when it refuses the request of another user`
      : requirementOf(id, noun, verbs[name]),
  pointer,
  rfc: name === 'other-refused' ? 'RFC 9110 15.5.4' : 'OWASP API1:2023',
  subject: { kind: 'state', name, path },
})

const requirementOf = (id: string, noun: string, [verb, after]: readonly [string, string]): string =>
  `${id} should ${verb} ${article(noun)} only ${after} the user who created it`
