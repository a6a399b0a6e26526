import type { Obligation } from '../../spec/index.ts'
import { namesIn } from './order-of-need.ts'
import type { Trial } from './probe.ts'
import { searchValid } from './search.ts'
import type { OperationSession, RunSession } from './session.ts'

export type OperationTrial = readonly [operation: OperationSession, trial: Trial]

/** Does something with each of these operations, many at a time, as long as the run has time; gives what came of it, if anything did. */
export type TryAll = (
  session: RunSession,
  operations: readonly { readonly id: string }[],
  tryWith: (of: readonly [OperationSession, Obligation]) => Promise<Trial | null>,
) => Promise<readonly OperationTrial[]>

/** Rounds in which operations that accepted nothing are asked again with what others have shown meanwhile. */
const mostRounds = 3

/** Looks once more for valid requests of operations that accepted none, with what others have shown since. */
export const searchAgain = async (
  session: RunSession,
  trials: Map<string, OperationTrial>,
  tryAll: TryAll,
): Promise<void> => {
  const { pool } = session
  if (![...trials.values()].some(isOpen)) return
  // What was created meanwhile may be listed now.
  const lists = [...trials].filter(([id, trial]) => isList(session, id, trial)).slice(0, mostLists)
  await tryAll(
    session,
    lists.map(([id]) => ({ id })),
    async ([{ sender }, valid]) => {
      await sender.send(sender.validCase(valid, 'plain'))
      return null
    },
  )
  pool.settle()
  let known = 0
  for (let round = 0; round < mostRounds && pool.size() > known; round++) {
    known = pool.size()
    const open = [...trials].filter(([, trial]) => isOpen(trial))
    const found = await tryAll(
      session,
      open.map(([id]) => ({ id })),
      async ([operation, valid]): Promise<Trial | null> => {
        const sent = await searchValid(session, operation, valid)
        return sent === null ? null : { result: 'accepted', sent, range: 0, before: [] }
      },
    )
    pool.settle()
    for (const each of found) trials.set(each[0].model.operation.id, each)
  }
}

const isOpen = ([, { result }]: OperationTrial): boolean => result === 'unnamed' || result === 'rejected'

/** Lists that are asked for once more. */
const mostLists = 40

const isList = (session: RunSession, id: string, [{ model }, { result }]: OperationTrial): boolean =>
  model.operation.method === 'GET' && result === 'accepted' && namesIn(session, id) === 0
