import type { Contract, Operation } from '../contract/contract.ts'
import { operationContext } from '../obligations/operation-context.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import { resourcesOf } from './graph.ts'
import { plainName } from './names.ts'
import type { Resource } from './resource.ts'

/**
 * Whether an operation is one on things of which no operation on other things speaks, in a parameter or a property of its body. If such a thing
 * breaks a service, as a rule does that runs on every event, nothing else had to have it.
 */
export const isUnneeded = (contract: Contract, operation: Operation): boolean => {
  const family = familyOf(contract, operation)
  return family !== null && unneededIn(contract).has(family)
}

/** Whether things of a kind, or of what they are below, are such things. */
export const isUnneededThing = (contract: Contract, resource: Resource): boolean =>
  unneededIn(contract).has(outermost(resource))

/** Of each family, the outermost resource. */
const unneededIn = (contract: Contract): ReadonlySet<Resource> => {
  const found = known.get(contract) ?? findUnneeded(contract)
  known.set(contract, found)
  return found
}

const known = new WeakMap<Contract, ReadonlySet<Resource>>()

const findUnneeded = (contract: Contract): ReadonlySet<Resource> => {
  const { resources } = resourcesOf(contract)
  /** What is spoken of, and by the operations on which things; null: on none. */
  const speakers = new Map<string, Set<Resource | null>>()
  for (const operation of contract.operations) {
    const family = familyOf(contract, operation)
    for (const word of wordsIn(contract, operation))
      speakers.set(word, (speakers.get(word) ?? new Set()).add(family))
  }
  const isSpokenOf = (family: Resource): boolean =>
    resources
      .filter(resource => outermost(resource) === family)
      .map(({ noun }) => plainName(noun))
      .some(noun =>
        [...speakers].some(([word, of]) => word.startsWith(noun) && [...of].some(other => other !== family)),
      )
  const families = new Set(resources.map(outermost))
  const unneeded = new Set([...families].filter(family => !isSpokenOf(family)))
  // If nothing is needed, nothing is needed less.
  return unneeded.size === families.size ? new Set() : unneeded
}

const familyOf = (contract: Contract, operation: Operation): Resource | null => {
  const graph = resourcesOf(contract)
  const [name] = graph.namesIn(operation)
  if (name !== undefined) return outermost(name.resource)
  const roots = new Set(graph.resources.map(outermost))
  return (
    [...roots].find(({ path }) => `${operation.path}/`.startsWith(path.slice(0, path.lastIndexOf('{')))) ??
    null
  )
}

const outermost = (resource: Resource): Resource =>
  resource.parent === null ? resource : outermost(resource.parent)

/** The names of the parameters of an operation, and of the properties of its body. */
const wordsIn = (contract: Contract, operation: Operation): ReadonlySet<string> => {
  const propertiesOf = ({ properties, children }: SchemaPlace): readonly string[] => [
    ...properties,
    ...children.flatMap(propertiesOf),
  ]
  const { body } = operationContext(contract, operation)
  const names = [
    ...operation.parameters.map(({ name }) => name),
    ...(body === null ? [] : propertiesOf(body.root)),
  ]
  return new Set(names.map(plainName))
}
