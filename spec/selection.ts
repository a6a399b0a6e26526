import type { Obligation } from './obligation.ts'

/** A pattern names no obligation of the contract; the message is one line and names what is near. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError'
}

/** Tells by its id whether an obligation is chosen. */
export type Selection = (id: string) => boolean

/**
 * Chooses obligations by patterns of their ids: a whole id, the beginning of one up to a `/`, or `*` for any
 * characters. `only`: none chooses all. Throws SelectionError where a pattern names nothing.
 *
 * @example
 * select(obligations, { only: ['createPlant/auth'], skip: ['*\/wrong-token'] })
 */
export const select = (
  obligations: readonly Obligation[],
  { only, skip }: { readonly only: readonly string[]; readonly skip: readonly string[] },
): Selection => {
  const ids = obligations.map(({ id }) => id)
  const matching = (patterns: readonly string[]): ReadonlySet<string> =>
    new Set(patterns.flatMap(pattern => matchesOf(ids, pattern)))
  const wanted = only.length === 0 ? new Set(ids) : matching(only)
  const left = matching(skip)
  return id => wanted.has(id) && !left.has(id)
}

/** The ids that a pattern names; SelectionError where it names none. */
export const matchesOf = (ids: readonly string[], pattern: string): readonly string[] => {
  const found = ids.filter(namedBy(pattern))
  if (found.length > 0) return found
  const near = ids.filter(id => id.includes(pattern.replaceAll('*', '')) || id.endsWith(lastPart(pattern)))
  throw new SelectionError(
    `the contract has no obligation ${pattern}: ${near.length > 0 ? `there is ${near.slice(0, 3).join(', ')}` : 'plantstore obligations lists them all'}`,
  )
}

/** Whether a pattern names this id. */
export const namedBy = (pattern: string): Selection => {
  const form = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}(?:/.*)?$`)
  return id => form.test(id)
}

const lastPart = (pattern: string): string => `/${pattern.split('/').at(-1) ?? ''}`
