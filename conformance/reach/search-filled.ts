import { creatorOf, type Obligation, resourcesOf } from '../../spec/index.ts'
import { isSameAnswer } from '../judge/server-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { isUnserved, wasSentAndAccepted } from './accepted.ts'
import { tryFurther, tryPlain } from './probe.ts'
import { searchFurther } from './search-further.ts'
import type { TrialTime } from './trial-time.ts'
import { type Late, type OperationTrial, tryAll } from './trials.ts'

/** Operations that create something in a resource for one that asks for it. */
const mostContents = 4

/**
 * Asks for resources with something in them, by operations that accepted nothing so far: nothing can be checked in a store without a model, nor
 * branched off in a repository without a commit. What creates it is tried first, if it was not.
 */
export const searchFilled = async (
  session: RunSession,
  trials: Map<string, OperationTrial>,
  late: Late,
  until: TrialTime['search'],
): Promise<void> => {
  const contents = new Map<string, readonly string[]>()
  const rejected = new Map<string, Sent>()
  for (const [id, [operation, trial]] of trials) {
    const all = trial.result === 'rejected' ? contentsFor(session, operation) : []
    if (trial.result !== 'rejected' || all.length === 0) continue
    contents.set(id, all)
    rejected.set(id, trial.last)
  }
  const untried = new Set([...contents.values()].flat().filter(id => !trials.has(id)))
  const more = await tryAll(
    session,
    [...untried].map(id => ({ id })),
    async (operation, valid, isAlone) => {
      const trial = await tryPlain(session, operation, valid, { isFirst: false, isAlone })
      return trial.result === 'open' ? tryFurther(session, operation, valid, trial) : trial
    },
    late,
    until,
  )
  const accepted = new Set(
    [...trials.values(), ...more].flatMap(([{ model }, { result }]) =>
      result === 'accepted' ? model.operation.id : [],
    ),
  )
  const found = await tryAll(
    session,
    [...contents].flatMap(([id, all]) => (all.some(each => accepted.has(each)) ? { id } : [])),
    async (operation, valid) => {
      const { id } = operation.model.operation
      const by = (contents.get(id) ?? []).filter(each => accepted.has(each))
      const sent = await askForFilled(session, operation, valid, rejected.get(id) as Sent, by)
      return sent === null ? null : { result: 'accepted', sent, range: 0, before: [] }
    },
    late,
    until,
  )
  for (const each of found) trials.set(each[0].model.operation.id, each)
}

/** If the server answers otherwise than before, other values are tried as well. Null if that is not accepted either. */
const askForFilled = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  rejected: Sent,
  contents: readonly string[],
): Promise<Sent | null> => {
  const { sender, binder } = operation
  if (binder?.askForKind({ contents }) !== true) return null
  const sent = await sender.send(sender.validCase(valid, 'plain'))
  if (wasSentAndAccepted(operation, sent)) return sent
  const isOther = sent.missing === undefined && !isUnserved(sent.outcome) && !isSameAnswer(sent, rejected)
  const found = isOther ? await searchFurther(session, operation, valid, [sent]) : null
  if (found === null) binder.askForKind('plain')
  return found?.sent ?? null
}

/** The operations that create what is directly below the resource that an operation asks for. */
const contentsFor = ({ options, scope }: RunSession, { model }: OperationSession): readonly string[] => {
  const graph = resourcesOf(options.contract)
  const target = graph.namesIn(model.operation).at(-1)?.resource
  const creators = graph.resources.flatMap(resource =>
    target !== undefined && resource.parent === target ? (creatorOf(resource) ?? []) : [],
  )
  return [...new Set(creators)]
    .filter(each => each !== model.operation && !scope.destructive.has(each.id) && !scope.acting.has(each.id))
    .map(({ id }) => id)
    .slice(0, mostContents)
}
