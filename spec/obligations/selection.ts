import { SelectionError } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import type { Obligation } from './obligation.ts'

/** Whether an obligation is selected, by its id. */
export type Selection = (id: string) => boolean

/**
 * Selects obligations by patterns of their ids: a whole id, its beginning up to a `/`, or `*` for any characters. An empty
 * `only` selects all. Throws SelectionError if a pattern matches nothing.
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
    new Set(patterns.flatMap(pattern => matchingIds(ids, pattern)))
  const included = only.length === 0 ? new Set(ids) : matching(only)
  const excluded = matching(skip)
  return id => included.has(id) && !excluded.has(id)
}

/** The ids that a pattern matches. Throws SelectionError if there is none. */
export const matchingIds = (ids: readonly string[], pattern: string): readonly string[] => {
  // The name of an operation may have an asterisk.
  const found = ids.filter(
    ids.includes(pattern) ? id => id === pattern || id.startsWith(`${pattern}/`) : patternFilter(pattern),
  )
  if (found.length > 0) return found
  throw new SelectionError(unknownObligation(pattern, ids))
}

/** Whether an id matches a pattern. */
export const patternFilter = (pattern: string): Selection => {
  const form = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}(?:/.*)?$`)
  return id => form.test(id)
}

/** What obligations look like that are tested only with an option. */
const onlyWith = [
  [/\/response\/time\/(?:p\d+|max)$/, '--max-response-time'],
  [/\/protocol\/[^/]+$/, '--malformed-http'],
] as const

/** The error message for an id or a pattern that matches no obligation. */
export const unknownObligation = (id: string, ids: readonly string[]): string => {
  const option = onlyWith.find(([form]) => form.test(id))?.[1]
  if (option !== undefined) return `there is no obligation ${id}: it is tested only with ${option}`
  const near = nearest(id, ids)
  const suggestion = near.length === 0 ? '' : `did you mean ${near.join(', ')}? `
  return `the contract has no obligation ${id}: ${suggestion}plantstore obligations lists them`
}
