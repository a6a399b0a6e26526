import type { Json } from '../../spec/index.ts'
import { type Demand, keyOf } from './demand.ts'
import { type Facts, kinds, settle } from './facts.ts'
import { isSchemaObject, own } from './keywords.ts'

/** Tells at once what a tag such as `kind: { const: … }` rules out, without working the property out. */
export type Constants = (facts: Facts) => Facts | null

/**
 * Drops objects where a property has to be there, is one of a few constants, and none of these suits all that is said
 * of it; null when nothing is left.
 */
export const createConstants = (meets: (demands: readonly Demand[], value: Json) => boolean): Constants => {
  const known = new Map<string, boolean>()
  const isPossible = (demands: readonly Demand[]): boolean => {
    const members = demands.map(constantsOf).find(found => found !== null)
    if (members === undefined) return true
    const key = keyOf(demands)
    const found = known.get(key) ?? members.some(member => meets(demands, member))
    known.set(key, found)
    return found
  }
  return facts => {
    if ((facts.kinds & kinds.object) === 0) return facts
    for (const name of facts.object.required) {
      const demands = facts.object.known.get(name) ?? []
      if (demands.length > 1 && !isPossible(demands))
        return settle({ ...facts, kinds: facts.kinds & ~kinds.object })
    }
    return facts
  }
}

const constantsOf = (demand: Demand): readonly Json[] | null => {
  if (demand.kind !== 'meet' || !isSchemaObject(demand.schema)) return null
  if (Object.hasOwn(demand.schema, 'const')) return [demand.schema.const as Json]
  const members = own(demand.schema, 'enum')
  return Array.isArray(members) && members.length <= 50 ? members : null
}
