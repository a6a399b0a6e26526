/** Plays the workflows of Arazzo documents, and sends invalid requests at each of their steps. */
import type { FlowPlace, Player } from '../flows/player.ts'
import { hasDone } from '../judge/expected-status.ts'
import type { RunStats } from '../judge/run-stats.ts'
import { isAccepted } from '../reach/accepted.ts'
import type { Preflight } from '../reach/preflight.ts'
import type { Sent } from '../send/lost-connections.ts'
import { timeFor } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import {
  type BesidePlan,
  createBesidePlan,
  firstInvalid,
  isOfInvalid,
  type SentBeside,
} from './beside-plan.ts'

/** Invalid requests at one step, at most: each comes after all the steps before it. */
const mostAtStep = 40

/**
 * Plays each workflow once before the plan: what the server shows is known to all operations from then on. An operation that accepts a
 * request only in a workflow gets all its requests there.
 */
export const playFlows = async ({ player, operations, options: { flows } }: RunSession): Promise<void> => {
  if (player === null) return
  for (const { id } of flows) await player.play(id)
  for (const { id: flow, steps } of flows)
    for (const { id: step, target } of steps) {
      const operation = target.kind === 'operation' ? operations.get(target.operation) : undefined
      if (operation === undefined || player.placeOf(operation.model.operation.id) !== undefined) continue
      await findPlace(operation, player, { flow, step })
    }
}

/** Whether requests of an operation are accepted as they are, else with what earlier steps gave, else with all that the step sends. */
const findPlace = async (operation: OperationSession, player: Player, place: FlowPlace): Promise<void> => {
  const { valid, sender, model } = operation
  if (valid === undefined) return
  for (const tried of [undefined, { ...place, isWhole: false }, { ...place, isWhole: true }]) {
    player.setPlace(model.operation.id, tried)
    const sent = await sender.send(sender.validCase(valid, 'plain'))
    if (sent.missing === undefined && isAccepted(operation, sent) && !isMissing(sent)) return
  }
  player.setPlace(model.operation.id, undefined)
}

/** A request that names nothing that exists shows nothing of what the operation accepts. */
const isMissing = ({ outcome }: Sent): boolean =>
  outcome.kind === 'response' && [404, 410].includes(outcome.response.status)

/** Of the time of a run, this share at most goes to invalid requests in workflows. */
const shareOfInvalid = 0.3

/** Sends each step of the workflows, after those before it. */
export const sendFlows = async (
  session: RunSession,
  { unreachable, noAccess }: Preflight,
  stats: RunStats,
): Promise<SentBeside> => {
  const { gate, operations, clock } = session
  const beside = createBesidePlan(session, stats)
  if (unreachable !== null || noAccess !== null) return beside.sent()
  const isShareOver = timeFor(clock.end(), shareOfInvalid)
  for (const obligation of beside.due('flow')) {
    const { subject } = obligation
    if (gate.isClosed()) break
    const operation = operations.get(obligation.operation) as OperationSession
    const { valid, sender, model } = operation
    if (valid === undefined || subject.kind !== 'flow') continue
    const place = { flow: subject.flow, step: subject.step }
    const plain = sender.validCase(valid, 'plain')
    const sent = await beside.send(operation, { ...plain, obligation, expectation: 'either', flow: place })
    if (sent === null || sent.testCase.flow?.problem != null) continue
    // Where a step is to be refused, a refusal says nothing of what is wrong with a request.
    if (hasDone(model.operation, sent.outcome))
      await sendInvalid(session, operation, place, beside, () => gate.isClosed() || isShareOver())
  }
  return beside.sent()
}

/** Sends invalid requests in the place of a step, so that the server is where the step finds it. */
const sendInvalid = async (
  { scope }: RunSession,
  operation: OperationSession,
  flow: FlowPlace,
  { attempt }: BesidePlan,
  isOver: () => boolean,
): Promise<void> => {
  let count = 0
  for (const obligation of operation.obligations) {
    if (count >= mostAtStep || isOver()) return
    if (!isOfInvalid(obligation) || !scope.isSelected(obligation.id)) continue
    const testCase = firstInvalid(operation, obligation)
    if (testCase !== null && (await attempt(operation, { ...testCase, flow })) !== null) count += 1
  }
}
