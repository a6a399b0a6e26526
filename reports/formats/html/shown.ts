import type { Entry, Ledger } from '../../../spec/index.ts'
import { sayMost } from '../../view/say-most.ts'
import { reasonOf } from '../../view/summary.ts'
import { html, type Markup } from './markup.ts'

/** Characters that the rows of requirements may take: a page has to open at once on a telephone, and its other parts take as much. */
const room = 1_200_000

/** Causes that have a part of the page. */
export const mostCauses = 300
/** Rows of other tables, and ids of a list: of more, their number says enough. */
export const mostRows = 200
export const mostListed = 40
/** Reasons that have a list of their own. */
export const mostReasons = 60

/** The ids of the requirements that a page lists: all, or of a large contract those that say most, so that passed ones give way. */
export const shownOf = (ledger: Ledger): ReadonlySet<string> => {
  const known = sets.get(ledger) ?? sayMost(ledger, room, sizeOf)
  sets.set(ledger, known)
  return known
}

const sets = new WeakMap<Ledger, ReadonlySet<string>>()

/** About how long a row is: the id is there four times, and a failure has its title and its number beside the requirement. */
const sizeOf = ({ obligation: { id, requirement }, verdict }: Entry): number =>
  (verdict.kind === 'failed' ? 700 : 350) +
  4 * id.length +
  requirement.length +
  (reasonOf(verdict)?.length ?? 0)

/** The id of a requirement, or another `text`, as a link to its row, if the page has one. */
export const idLink = (id: string, shown: ReadonlySet<string>, text = id): Markup =>
  shown.has(id) ? html`<a href="#${id}"><code>${text}</code></a>` : html`<code>${text}</code>`
