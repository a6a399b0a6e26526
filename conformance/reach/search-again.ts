import { creatorOf, resourcesOf } from '../../spec/index.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import { isHanging } from '../send/transport/failure.ts'
import type { RunSession } from '../session/session.ts'
import { wasSentAndAccepted } from './accepted.ts'
import { isMadeUp } from './access-problem.ts'
import { namesIn } from './order-of-need.ts'
import { type OpenTrial, sendPlain, tryFurther, tryKnown } from './probe.ts'
import { searchValid } from './search.ts'
import { searchFilled } from './search-filled.ts'
import { searchObjects } from './search-further.ts'
import type { TrialTime } from './trial-time.ts'
import { isKeptOut, isServed, type Late, mostRounds, type OperationTrial, tryAll } from './trials.ts'

/**
 * Looks once more for valid requests of operations that accepted none, with what others have shown since. `open`: operations for which there
 * was no time to look when it was their turn.
 */
export const searchAgain = async (
  session: RunSession,
  trials: Map<string, OperationTrial>,
  late: Late,
  open: ReadonlyMap<string, OpenTrial>,
  until: TrialTime['search'],
): Promise<void> => {
  const { pool } = session
  const back = await late.takeBack(late.all(), isServed)
  const left = new Map(open)
  for (const [id, found] of back) {
    if (found === null) continue
    const [operation, trial] = found
    if (trial.result === 'open') left.set(id, trial)
    else trials.set(id, [operation, trial])
  }
  const further = await tryAll(
    session,
    [...left.keys()].map(id => ({ id })),
    async (operation, valid) => {
      const { id } = operation.model.operation
      const trial = left.get(id) as OpenTrial
      const known = open.has(id) ? await tryKnown(session, operation, valid, trial, { isFirst: true }) : null
      return known ?? tryFurther(session, operation, valid, trial)
    },
    late,
    until,
  )
  for (const each of further) trials.set(each[0].model.operation.id, each)
  const all = [...trials.values()]
  if (!all.some(isUnsettled) || isKeptOut(all)) return
  // What was created meanwhile may be listed now.
  const lists = [...trials].filter(([id, trial]) => isList(session, id, trial)).slice(0, mostLists)
  await tryAll(
    session,
    lists.map(([id]) => ({ id })),
    async ({ sender }, valid) => {
      await sender.send(sender.validCase(valid, 'plain'))
      return null
    },
    late,
    until,
  )
  pool.settle()
  const asked = [...trials].filter(([, trial]) => isCreatable(trials, trial))
  for (const each of await tryAll(
    session,
    asked.map(([id]) => ({ id })),
    async (operation, valid) => {
      const sent = await sendPlain(operation, valid)
      if (wasSentAndAccepted(operation, sent)) return { result: 'accepted', sent, range: 0, before: [] }
      // What it asks for exists now, so the reason is another one.
      if (sent.missing !== undefined || isMadeUp(sent)) return null
      return tryFurther(session, operation, valid, { result: 'open', last: sent, unnamed: null })
    },
    late,
    until,
  ))
    trials.set(each[0].model.operation.id, each)
  let known = 0
  for (let round = 0; round < mostRounds && pool.size() > known; round++) {
    known = pool.size()
    const isFirst = round === 0
    const open = [...trials].filter(([, trial]) => isUnsettled(trial))
    const found = await tryAll(
      session,
      open.map(([id]) => ({ id })),
      async (operation, valid) => {
        const sent =
          (await searchValid(session, operation, valid)) ??
          (isFirst ? (await searchObjects(session, operation, valid))?.sent : null) ??
          null
        return sent === null ? null : { result: 'accepted', sent, range: 0, before: [] }
      },
      late,
      until,
    )
    pool.settle()
    for (const each of found) trials.set(each[0].model.operation.id, each)
  }
  await searchFilled(session, trials, late, until)
}

/** Whether a request may still be found that is accepted: not if what was sent hung. */
const isUnsettled = (of: OperationTrial): boolean => {
  const [, trial] = of
  return (
    trial.result === 'unnamed' ||
    (trial.result === 'rejected' && !isHanging(trial.last.outcome)) ||
    isOnlyAbsent(of)
  )
}

/** Whether a request was accepted only because a 404 is right for a name that nothing has. */
const isOnlyAbsent = ([, trial]: OperationTrial): boolean =>
  trial.result === 'accepted' &&
  trial.sent.missing === undefined &&
  trial.sent.testCase.chain === undefined &&
  trial.sent.outcome.kind === 'response' &&
  isAbsence(trial.sent.outcome.response.status)

/** Whether what an operation asks for could not be created when it was tried, and can be now. */
const isCreatable = (
  trials: ReadonlyMap<string, OperationTrial>,
  [{ model }, { result }]: OperationTrial,
): boolean =>
  result === 'unnamed' &&
  resourcesOf(model.contract)
    .namesIn(model.operation)
    .some(({ resource }) => trials.get(creatorOf(resource)?.id ?? '')?.[1].result === 'accepted')

/** Lists that are asked for once more. */
const mostLists = 40

const isList = (session: RunSession, id: string, [{ model }, { result }]: OperationTrial): boolean =>
  model.operation.method === 'GET' && result === 'accepted' && namesIn(session, id) === 0

/** Adds what came of operations that nobody waited for. Gives those that hung: they are left to the plan. */
export const endLate = async (
  trials: Map<string, OperationTrial>,
  late: Late,
): Promise<ReadonlySet<string>> => {
  const found = await late.results()
  const hung = new Set(late.all().filter(id => !found.has(id)))
  for (const [id, trial] of found) {
    if (trial === null || trial[1].result === 'open') continue
    if (trial[1].result !== 'silence') trials.set(id, [trial[0], trial[1]])
    else if (isHanging(trial[1].last.outcome)) hung.add(id)
  }
  return hung
}
