import type { Json, SchemaPlace } from '../../spec/index.ts'
import { perObject } from '../per-object.ts'

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
const ranksOf = perObject(
  (properties: readonly string[]): ReadonlyMap<string, number> =>
    new Map(properties.map((name, index) => [name, index])),
)
