import type { SchemaViolation } from '../schema/schema-violation.ts'

/**
 * What a value breaks of `then` or `else`, which says more than `if`: a discriminator at a base is read as one, and no document has it.
 * `others`: what is told already. Null: the violation is no `if`; empty: what it breaks is among the others.
 */
export const explainIf = (
  violation: SchemaViolation,
  all: readonly SchemaViolation[],
  others: readonly SchemaViolation[],
): readonly SchemaViolation[] | null => {
  if (violation.keyword !== 'if') return null
  const inside = all.filter(
    each => each.keyword !== 'if' && (each.at === violation.at || each.at.startsWith(`${violation.at}/`)),
  )
  if (inside.length === 0) return null
  return inside.filter(each => !others.some(other => other.at === each.at && other.keyword === each.keyword))
}
