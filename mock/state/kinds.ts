import {
  type Contract,
  declaredCreatorOf,
  identityNames,
  type Operation,
  operationContext,
  type PathName,
  type Resource,
  resourcesOf,
  type SchemaPlace,
} from '../../spec/index.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { parametersIn } from '../resources/collections.ts'
import { createIdentities, mainSeed } from '../resources/identities.ts'
import type { ResourceContext } from '../resources/instance-bodies.ts'
import type { OperationRules } from '../rules/list-rule.ts'

/** A kind of resources that is kept. */
export type Kind = {
  readonly resource: Resource
  /** Of the operation that shows a resource most fully: what is kept is as its response has it. */
  readonly basis: OperationRules
  readonly instance: SchemaPlace
  /** Of the operation that lists them; null: none does. */
  readonly list: OperationRules | null
}

export type Role = 'list' | 'create' | 'read' | 'replace' | 'change' | 'remove' | 'below'

/** What an operation does to which resources. */
export type Plan = {
  readonly role: Role
  /** Null: it is only below resources that are kept. */
  readonly kind: Kind | null
  /** The names in its path. */
  readonly names: readonly PathName[]
}

/** The kinds of resources that the operations of a document create, list, read, change and remove. */
export const kindsOf = (resourceContext: ResourceContext): ReadonlyMap<Resource, Kind> => {
  const { engine, rulesFor } = resourceContext
  const rulesOfSuccess = (operation: Operation | null): OperationRules | null => {
    const success = operation === null ? null : compiledOperation(engine, operation).success
    return operation === null || success === null ? null : rulesFor(operation, success)
  }
  const kinds = new Map(
    resourcesOf(engine.contract).resources.flatMap(resource => {
      const read = rulesOfSuccess(resource.read)
      const listed = rulesOfSuccess(resource.list)
      const list = listed?.list == null ? null : listed
      const basis = read?.instance != null ? read : list
      // What nobody creates or lists cannot be known to exist.
      if (
        basis === null ||
        basis.instance === null ||
        (list === null && resource.create === null && resource.replace === null)
      )
        return []
      const hasNames = basis.identity !== null || (resource.create === null && resource.read !== null)
      if (!hasNames && createIdentities(engine, basis).at(mainSeed, 0) === undefined) return []
      if (resource.create !== null && !isNameable(engine, resource.create, basis)) return []
      return [[resource, { resource, basis, instance: basis.instance, list }] as const]
    }),
  )
  for (const list of engine.contract.operations) {
    const rules = list.method === 'GET' ? rulesOfSuccess(list) : null
    const resource = rules?.list == null ? null : withoutItems(engine.contract, kinds, list)
    if (resource !== null && rules !== null && rules.instance !== null)
      kinds.set(resource, { resource, basis: rules, instance: rules.instance, list: rules })
  }
  return kinds
}

/** Whether something that is created can have a name: its own, or a made-up one. */
const isNameable = (engine: Engine, create: Operation, basis: OperationRules): boolean => {
  const sendable = operationContext(engine.contract, create).body?.root.properties ?? []
  return (
    (basis.identity !== null && sendable.includes(basis.identity)) ||
    createIdentities(engine, basis).at(mainSeed, 0) !== undefined
  )
}

/** The resource of a list whose items have no path of their own: something is added to it, or it is below what is kept. */
const withoutItems = (
  contract: Contract,
  kinds: ReadonlyMap<Resource, Kind>,
  list: Operation,
): Resource | null => {
  const { namesIn, createdBy } = resourcesOf(contract)
  if ([...kinds.keys()].some(resource => resource.list === list)) return null
  const create =
    contract.operations.find(({ method, path }) => method === 'POST' && path === list.path) ?? null
  const names = namesIn(list)
  const parent = names.at(-1)?.resource ?? null
  const created = create === null ? null : createdBy(create)
  const isNew = create !== null && (created === null || declaredCreatorOf(created) !== create)
  if (names.length < parametersIn(list.path).length || (!isNew && (parent === null || !kinds.has(parent))))
    return null
  return {
    shape: `${list.path.replace(/\{[^{}]*\}/g, '{}')}/{}`,
    path: `${list.path}/{item}`,
    parent,
    names: identityNames(),
    noun: 'resource',
    create: isNew ? create : null,
    likelyCreate: null,
    alsoCreate: [],
    list,
    likelyList: null,
    read: null,
    replace: null,
    change: null,
    remove: null,
    links: new Map(),
  }
}

/** Null: an operation has nothing to do with what is kept. */
export const planOf = (
  { contract }: Engine,
  kinds: ReadonlyMap<Resource, Kind>,
  operation: Operation,
): Plan | null => {
  const names = resourcesOf(contract).namesIn(operation)
  for (const kind of kinds.values()) {
    const role = roleIn(kind, operation)
    if (role !== null) return { role, kind, names }
  }
  return names.some(({ resource }) => kinds.has(resource)) ? { role: 'below', kind: null, names } : null
}

const roleIn = ({ resource, list }: Kind, operation: Operation): Role | null => {
  if (resource.create === operation) return 'create'
  if (resource.list === operation) return list === null ? null : 'list'
  if (resource.read === operation) return 'read'
  if (resource.replace === operation) return 'replace'
  if (resource.change === operation) return 'change'
  return resource.remove === operation ? 'remove' : null
}
