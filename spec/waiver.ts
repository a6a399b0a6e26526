import type { Obligation } from './obligation.ts'
import { matchesOf, SelectionError } from './selection.ts'

/** A broken promise that is accepted for a time, by whom and why. */
export type Waiver = {
  /** An obligation's id, its beginning up to a `/`, or with `*` for any characters. */
  readonly obligation: string
  readonly reason: string
  readonly owner: string
  /** Its last day, `2027-01-31`. */
  readonly expires: string
}

/** A waiver that cannot be used; the message is one line and says which and why. */
export class WaiverError extends Error {
  override readonly name = 'WaiverError'
}

export type Waivers = {
  /** The waiver that an obligation is under; null where it is under none, or its day is over. */
  readonly of: (id: string) => Waiver | null
  readonly expired: readonly Waiver[]
}

/**
 * Holds waivers against a contract's obligations. `today`: ISO 8601, of which the day counts. Throws WaiverError where
 * one is not whole or names no obligation.
 */
export const createWaivers = (
  obligations: readonly Obligation[],
  waivers: readonly Waiver[],
  today: string,
): Waivers => {
  const ids = obligations.map(({ id }) => id)
  const under = new Map<string, Waiver>()
  const expired: Waiver[] = []
  for (const waiver of waivers) {
    const named = namedBy(checked(waiver), ids)
    if (waiver.expires < today.slice(0, 10)) expired.push(waiver)
    else for (const id of named) if (!under.has(id)) under.set(id, waiver)
  }
  return { of: id => under.get(id) ?? null, expired }
}

const parts = ['obligation', 'reason', 'owner', 'expires'] as const

const checked = (waiver: Waiver): Waiver => {
  const missing = parts.find(part => typeof waiver[part] !== 'string' || waiver[part].trim() === '')
  if (missing !== undefined)
    throw new WaiverError(
      `the waiver of ${String(waiver.obligation ?? '?')} has no ${missing}: give obligation, reason, owner and expires`,
    )
  if (!isDay(waiver.expires))
    throw new WaiverError(
      `the waiver of ${waiver.obligation} expires on ${waiver.expires}: give a day such as 2027-01-31`,
    )
  return waiver
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

const namedBy = ({ obligation }: Waiver, ids: readonly string[]): readonly string[] => {
  try {
    return matchesOf(ids, obligation)
  } catch (error) {
    if (error instanceof SelectionError) throw new WaiverError(`a waiver matches nothing: ${error.message}`)
    throw error
  }
}
