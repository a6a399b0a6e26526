import type { Json, SchemaPlace } from '../../spec/index.ts'

/** The members of an object in the order in which the document declares them; undeclared ones come last, as they were. */
export const inDocumentOrder = (
  { properties }: SchemaPlace,
  members: readonly (readonly [name: string, value: Json])[],
): readonly (readonly [name: string, value: Json])[] => {
  if (properties.length === 0 || members.length < 2) return members
  const ranks = ranksOf(properties)
  const rank = (name: string): number => ranks.get(name) ?? properties.length
  return [...members].sort(([left], [right]) => rank(left) - rank(right))
}

// Lists have hundreds of objects with the same properties.
const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

const ranksOf = (properties: readonly string[]): ReadonlyMap<string, number> => {
  const found = known.get(properties) ?? new Map(properties.map((name, index) => [name, index]))
  known.set(properties, found)
  return found
}
