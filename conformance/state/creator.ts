import {
  type Json,
  type Obligation,
  type Outcome,
  type PathName,
  type Resource,
  resourcesOf,
  statusOf,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase, ValidKind } from '../cases/case.ts'
import { countExamples, withExamples } from '../cases/declared-examples.ts'
import { isUuid } from '../cases/identities.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import { specWith } from '../pool/bound-spec.ts'
import type { Instance } from '../pool/instance.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { Sent } from '../send/lost-connections.ts'

/** What the supply needs of an operation. */
export type Maker = {
  readonly model: OperationModel
  readonly sender: CaseSender
  /** That any valid request is accepted; undefined if none can be made. */
  readonly valid: Obligation | undefined
}

/** Why there is no resource. `isLeftOut`: nothing was sent to make one; `isOld`: it was there before. */
export type Missing = { readonly missing: string; readonly isLeftOut?: boolean; readonly isOld?: boolean }

/** Valid requests that may create something. An example has more than a plain one, and is accepted more often than one with everything. */
export const kindsToTry = (kind: 'plain' | 'rich', model: OperationModel): readonly ValidKind[] =>
  kind === 'plain'
    ? ['plain', 'full', 'rich']
    : ['rich', ...(countExamples(model) > 0 ? (['example'] as const) : []), 'plain']

/** Sends a plain valid request whose path names these values, the outermost first. Null if no valid request can be made. */
export const sendNamed = async (
  { model, sender, valid }: Maker,
  values: readonly Json[],
  change = (spec: RequestSpec, _number: number): RequestSpec => spec,
): Promise<Sent | null> => {
  if (valid === undefined) return null
  const plain = sender.validCase(valid, 'plain')
  const changed = change(sender.freshSpec(plain.spec), plain.number)
  const spec = specWith(model, changed, allNamesIn(model), values, null, null)
  return sender.sendAsIs({ ...plain, spec, request: renderRequest(model.operation, spec), isHelp: true })
}

/** The names in the path of an operation: of what exists, or else those that the document lists. */
export const allNamesIn = ({ contract, operation }: OperationModel): readonly PathName[] => {
  const graph = resourcesOf(contract)
  const names = graph.namesIn(operation)
  return names.length > 0 ? names : graph.listedNamesIn(operation)
}

type MakerOf = (operation: string) => Maker

/**
 * The resource once each of these operations has created something in it: by an example of the document, if the server accepts that.
 * `noteCreation` hears of each.
 */
export const fill = async (
  instance: Instance,
  contents: readonly string[],
  makerOf: MakerOf,
  noteCreation: (resource: Resource, testCase: TestCase, outcome: Outcome) => void,
): Promise<Instance | Missing> => {
  const steps = [...instance.steps]
  for (const id of contents) {
    const { model } = makerOf(id)
    const sent = await sendInto(makerOf(id), instance.values)
    if (sent === null)
      return { missing: `no valid request can be made for ${id}, which creates what the operation needs` }
    const { testCase, outcome, missing } = sent
    if (missing !== undefined) return { missing }
    if (!hasDone(model.operation, outcome))
      return {
        missing: `${id}, which creates what the operation needs, answered ${summary(outcome)} to a valid request`,
      }
    const creates = resourcesOf(model.contract).createdBy(model.operation)
    const chain = { steps: [], values: instance.values, exists: true }
    if (creates !== null) noteCreation(creates, { ...testCase, chain }, outcome)
    const { request, spec } = testCase
    const stored = spec.body === undefined ? {} : { sent: spec.body }
    steps.push({ operation: id, request, outcome, role: 'content', ...stored })
  }
  return { ...instance, steps, contents }
}

const sendInto = async (maker: Maker, values: readonly Json[]): Promise<Sent | null> => {
  const { model } = maker
  if (countExamples(model) > 0 && !withRejectedExample.has(model)) {
    const sent = await sendNamed(maker, values, (spec, number) => withExamples(model, spec, 0, number))
    const status = sent === null ? 0 : statusOf(sent.outcome)
    // What a busy server did not serve says nothing of the example.
    if (status < 400 || status === 429 || status >= 500) return sent
    withRejectedExample.add(model)
  }
  return sendNamed(maker, values)
}

/** Operations of which the server does not accept the example. */
const withRejectedExample = new WeakSet<OperationModel>()

type Found = { readonly mayBe: boolean; readonly isUnanswered?: true }

/** What is asked for by its name now, or was not answered: who asks again would wait as long. */
const asked = new WeakMap<MakerOf, Map<string, Promise<Found>>>()

/** Whether something may have this name: it is found by it, or nobody can say. */
export const mayExist = async (
  { read }: Resource,
  makerOf: MakerOf,
  values: readonly Json[],
): Promise<boolean> => {
  // A UUID that is made up is nobody's.
  if (read === null) return !isUuid(values.at(-1))
  const open = asked.get(makerOf) ?? new Map<string, Promise<Found>>()
  asked.set(makerOf, open)
  const key = `${read.id} ${JSON.stringify(values)}`
  const asking = open.get(key) ?? findByName(makerOf(read.id), values)
  open.set(key, asking)
  const { mayBe, isUnanswered } = await asking
  if (isUnanswered !== true) open.delete(key)
  return mayBe
}

const findByName = async (maker: Maker, values: readonly Json[]): Promise<Found> => {
  const sent = await sendNamed(maker, values)
  if (sent === null) return { mayBe: false }
  // Without an answer, nobody knows.
  if (sent.missing !== undefined) return { mayBe: true }
  if (sent.outcome.kind === 'failure') return { mayBe: true, isUnanswered: true }
  return { mayBe: hasDone(maker.model.operation, sent.outcome) }
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
