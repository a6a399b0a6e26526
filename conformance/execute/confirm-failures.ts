import type { Obligation, Outcome } from '../../spec/index.ts'
import { type Confirmations, confirmOperation, type Turn } from '../confirm/confirm.ts'
import type { Confirmed } from '../confirm/confirm-incident.ts'
import { isCrash } from '../confirm/group.ts'
import { tellingStats } from '../judge/blocked.ts'
import { incidentsOf, type RunStats } from '../judge/run-stats.ts'
import type { Sent } from '../send/lost-connections.ts'
import { createBudget, partOfTime } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import type { RunResults } from './evidence.ts'
import { atATime, withEach } from './follow-up.ts'

/** Requests that confirming and minimising may take, of one operation and of all: a large contract has a thousand. */
const confirmationBudget = { most: 1500, least: 20, ofAll: 12_000 } as const

type Seen = Pick<RunResults, 'stats' | 'drifted' | 'blocked' | 'unnamed'> & {
  readonly accepted: ReadonlyMap<string, Sent>
}

/** What is sent again in one go: of which failures, so many at once, and in which share of the time that is left. */
type Go = {
  readonly turn: Turn
  readonly atOnce: number
  readonly share: number
  /** The causes of which one failure came again, for one of each; null: all failures are sent again. */
  readonly causes: Set<string> | null
}

/** Sends again what failed, and makes it small. If the time of the run may not do for all, one failure of each cause comes first. */
export const confirmFailures = async (
  session: RunSession,
  operations: readonly OperationSession[],
  seen: Seen,
): Promise<Confirmations> => {
  const { options, clock, gate } = session
  const { stats, drifted, accepted } = seen
  const confirmations = new Map<string, Confirmed>()
  const { most, least, ofAll } = confirmationBudget
  const left = Math.min(
    most,
    Math.max(least, Math.floor(ofAll / Math.max(1, options.contract.operations.length))),
  )
  const take = async ({ turn, atOnce, share, causes }: Go): Promise<void> => {
    let begun = 0
    const taken = operations.filter(({ obligations }) =>
      hasFailed(obligations, stats, turn === 'crashes' ? isCrash : () => true),
    )
    await withEach(session, taken, atOnce, gate.isClosed, async ({ model, sender, obligations }) => {
      // Each gets its share of what those before it left.
      const end = partOfTime(clock.end(), (share * atOnce) / (taken.length - begun))
      begun += 1
      const shown = tellingStats(model.operation.id, obligations, seen)
      const confirmed = await confirmOperation(obligations, shown, {
        ...{ model, sender, turn, causes, policy: options, stateless: options.stateless },
        budget: createBudget(left, end),
        isAlone: atOnce === 1,
        known: confirmations,
        hasDrifted: drifted.has(model.operation.id),
        accepted: accepted.get(model.operation.id) ?? null,
      })
      for (const [key, confirmation] of confirmed) confirmations.set(key, confirmation)
    })
  }
  const together = atATime(session)
  if (together === 1) await take({ turn: 'all', atOnce: 1, share: 1, causes: null })
  else {
    const causes = new Set<string>()
    await take({ turn: 'crashes', atOnce: 1, share: 0.2, causes })
    await take({ turn: 'others', atOnce: together, share: 0.5, causes })
    await take({ turn: 'crashes', atOnce: 1, share: 0.4, causes: null })
    await take({ turn: 'others', atOnce: together, share: 1, causes: null })
  }
  return confirmations
}

const hasFailed = (
  obligations: readonly Obligation[],
  stats: RunStats,
  isIt: (outcome: Outcome) => boolean,
): boolean => obligations.some(({ id }) => incidentsOf(stats, id).some(({ outcome }) => isIt(outcome)))
