import { SelectionError, WaiverError } from '../errors.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { matchingIds } from '../obligations/selection.ts'

/** A failure that someone accepts for a limited time, and why. */
export type Waiver = {
  /** A pattern: the id of an obligation, its beginning up to a `/`, or with `*` for any characters. */
  readonly obligation: string
  readonly reason: string
  readonly owner: string
  /** The last day on which it counts, `2027-01-31`. */
  readonly expires: string
  /** It holds failures for this cause only, or for one of several with a comma between them: see `causeOf`. Absent: any. */
  readonly cause?: string
  /** For what fails now and then: it holds a failure of at most this share of its cases, `0.02`. Absent: any. */
  readonly rate?: number
}

export type Waivers = {
  /** The waiver for an obligation; null if there is none or it has expired. */
  readonly of: (id: string) => Waiver | null
  readonly expired: readonly Waiver[]
}

/**
 * Checks waivers against the obligations of a contract. `today`: an ISO 8601 date or time. Throws WaiverError if one is
 * incomplete, matches no obligation, or holds obligations of authentication that it does not name.
 */
export const createWaivers = (
  obligations: readonly Obligation[],
  waivers: readonly Waiver[],
  today: string,
): Waivers => {
  const ids = obligations.map(({ id }) => id)
  const byId = new Map<string, Waiver>()
  const expired: Waiver[] = []
  for (const waiver of waivers) {
    const matching = idsOf(checked(waiver), ids)
    const guarded = obligations.find(
      ({ id, family }) => family === 'auth' && matching.includes(id) && id !== waiver.obligation,
    )
    if (guarded !== undefined)
      throw new WaiverError(
        `the waiver of ${waiver.obligation} would hold ${guarded.id} as well: name each obligation of authentication by its whole id`,
      )
    if (waiver.expires < today.slice(0, 10)) expired.push(waiver)
    else for (const id of matching) if (!byId.has(id)) byId.set(id, waiver)
  }
  return { of: id => byId.get(id) ?? null, expired }
}

/** What a run says of a waiver whose last day is over. */
export const expiredNote = ({ obligation, owner, expires }: Waiver): string =>
  `the waiver of ${obligation} (${owner}) expired on ${expires}: fix the server, or agree on a later day`

const fields = ['obligation', 'reason', 'owner', 'expires'] as const

const checked = (waiver: Waiver): Waiver => {
  const missing = fields.find(field => typeof waiver[field] !== 'string' || waiver[field].trim() === '')
  if (missing !== undefined)
    throw new WaiverError(
      `the waiver of ${String(waiver.obligation ?? '?')} has no ${missing}: give obligation, reason, owner and expires`,
    )
  if (!isDay(waiver.expires))
    throw new WaiverError(
      `the waiver of ${waiver.obligation} expires on ${waiver.expires}: give a day such as 2027-01-31`,
    )
  const { rate } = waiver
  if (rate !== undefined && !(typeof rate === 'number' && rate > 0 && rate < 1))
    throw new WaiverError(
      `the waiver of ${waiver.obligation} has the rate ${rate}: give a share of its cases such as 0.02`,
    )
  return waiver
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

const idsOf = ({ obligation }: Waiver, ids: readonly string[]): readonly string[] => {
  try {
    return matchingIds(ids, obligation)
  } catch (error) {
    if (error instanceof SelectionError) throw new WaiverError(`a waiver matches nothing: ${error.message}`)
    throw error
  }
}
