import type { Entry, Ledger } from '../../../spec/index.ts'
import { isStrict, statusOf } from '../../view/status.ts'
import { html, type Markup } from './markup.ts'
import { worstFirst } from './status-marks.ts'

/** Requirements that a page lists: with more of them no browser opens it in reasonable time. */
export const mostShown = 25_000

/** The ids of the requirements that a page lists: all, or of a large contract those that say most, so that passed ones give way. */
export const shownOf = (ledger: Ledger): ReadonlySet<string> => {
  const known = sets.get(ledger) ?? choose(ledger)
  sets.set(ledger, known)
  return known
}

const sets = new WeakMap<Ledger, ReadonlySet<string>>()

const choose = (ledger: Ledger): ReadonlySet<string> => {
  const { entries } = ledger
  const chosen =
    entries.length <= mostShown ? entries : sayMost(entries, isStrict(ledger)).slice(0, mostShown)
  return new Set(chosen.map(({ obligation }) => obligation.id))
}

/** What was not tested comes last: it is listed by its reasons. */
const sayMost = (entries: readonly Entry[], strict: boolean): readonly Entry[] => {
  const groups = Map.groupBy(entries, entry => statusOf(entry, strict))
  const order = [...worstFirst.filter(status => status !== 'untested' && status !== 'passed')]
  return [...order, 'passed' as const, 'untested' as const].flatMap(status => groups.get(status) ?? [])
}

/** The id of a requirement as a link to its row, if the page has one. */
export const idLink = (id: string, shown: ReadonlySet<string>): Markup =>
  shown.has(id) ? html`<a href="#${id}"><code>${id}</code></a>` : html`<code>${id}</code>`
