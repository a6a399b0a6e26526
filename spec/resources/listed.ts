import type { Contract, Operation } from '../contract/contract.ts'
import { type Json, writeJson } from '../json/json.ts'
import { operationContext } from '../obligations/operation-context.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import { isSameName } from './names.ts'
import { isFixed, lastName, outerPath, prefixesOf, valuesOfName } from './path-names.ts'
import { type ListedResource, type Resource, shapeOf } from './resource.ts'

/**
 * The kinds of resources whose names the document lists, by the shape of their path: `POST /rules {"type": "A"}` makes what
 * `/rules/{type}` names. Nobody has to make one before it is asked for, but what a run makes has to be removed. Without an operation
 * that makes them, the values only choose what is answered.
 */
export const listedResources = (
  contract: Contract,
  operations: readonly Operation[],
  resourceWith: (path: string) => Resource,
): ReadonlyMap<string, ListedResource> => {
  const found = new Map<string, ListedResource>()
  for (const operation of operations) {
    const path = prefixesOf(operation.path).at(-1)
    if (path === undefined || shapeOf(path) !== shapeOf(operation.path) || found.has(shapeOf(path))) continue
    const values = valuesOfName(contract, operation, lastName(path))
    const outer = prefixesOf(outerPath(path)).map(lastName)
    if (values.length === 0 || outer.some(name => isFixed(contract, operation, name))) continue
    const usual = resourceWith(path)
    const property = usual.create === null ? null : namingIn(contract, usual.create, lastName(path), values)
    if (property === null && usual.replace === null) continue
    const resource = {
      ...usual,
      names: [...new Set([lastName(path), ...(property === null ? [] : [property])])],
      create: property === null ? null : usual.create,
      likelyCreate: null,
      alsoCreate: [],
    }
    found.set(resource.shape, { resource, values, property })
  }
  return found
}

/** The property of a creation that has the name: it is called like the parameter, or has the same values. */
const namingIn = (
  contract: Contract,
  create: Operation,
  name: string,
  values: readonly Json[],
): string | null => {
  const root = operationContext(contract, create).body?.root
  if (root == null) return null
  const all = writeJson([...values])
  const hasSame = ({ keywords }: SchemaPlace): boolean =>
    keywords.some(({ keyword, value }) => keyword === 'enum' && writeJson(value as Json) === all)
  const same = root.children
    .find(child => /^\/[^/]+$/.test(child.pattern) && hasSame(child))
    ?.pattern.slice(1)
  return root.properties.find(property => isSameName(property, name)) ?? same ?? null
}
