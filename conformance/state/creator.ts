import { type Json, type Obligation, type Resource, resourcesOf } from '../../spec/index.ts'
import { isUuid } from '../cases/identities.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { hasDone } from '../judge/expected-status.ts'
import { specWith } from '../pool/bound-spec.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { Sent } from '../send/lost-connections.ts'

/** What the supply needs of an operation. */
export type Maker = {
  readonly model: OperationModel
  readonly sender: CaseSender
  /** That any valid request is accepted; undefined if none can be made. */
  readonly valid: Obligation | undefined
}

/** Why there is no resource. `isLeftOut`: nothing was sent to make one. */
export type Missing = { readonly missing: string; readonly isLeftOut?: boolean }

/** Sends a plain valid request whose path names these values, the outermost first. Null if no valid request can be made. */
export const sendNamed = async (
  { model, sender, valid }: Maker,
  values: readonly Json[],
): Promise<Sent | null> => {
  if (valid === undefined) return null
  const { contract, operation } = model
  const plain = sender.validCase(valid, 'plain')
  const graph = resourcesOf(contract)
  const names = [graph.namesIn(operation), graph.listedNamesIn(operation)].find(({ length }) => length > 0)
  const spec = specWith(model, plain.spec, names ?? [], values, null, null)
  return sender.sendAsIs({ ...plain, spec, request: renderRequest(operation, spec), isHelp: true })
}

/** Whether something may have this name: it is found by it, or nobody can say. */
export const mayExist = async (
  { read }: Resource,
  makerOf: (operation: string) => Maker,
  values: readonly Json[],
): Promise<boolean> => {
  // A UUID that is made up is nobody's.
  if (read === null) return !isUuid(values.at(-1))
  const sent = await sendNamed(makerOf(read.id), values)
  if (sent === null) return false
  // Without an answer, nobody knows.
  if (sent.missing !== undefined || sent.outcome.kind === 'failure') return true
  return hasDone(read, sent.outcome)
}

/** Ends a chain that cannot go on: that a request was not answered as it should be is for other obligations to tell. */
export class ChainInterrupted extends Error {}

/** The same where the other user is not accepted: what the server refuses it shows nothing then. */
export class OtherRejected extends ChainInterrupted {}

/** What was found. Throws ChainInterrupted if nothing was. */
export const found = <T extends object>(result: T | Missing): T => {
  if ('missing' in result) throw new ChainInterrupted(result.missing)
  return result
}
