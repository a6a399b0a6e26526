import { creatorOf, type Obligation, resourcesOf, writeJson } from '../../spec/index.ts'
import type { ValidKind } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasDone } from '../judge/expected-status.ts'
import { isSameAnswer } from '../judge/server-words.ts'
import type { AskedBy } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import { differences, valuesFor } from '../pool/known-values.ts'
import type { ValuesByPlace } from '../pool/pool.ts'
import { beginningOf, isConflict } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { isUnserved, wasSentAndAccepted } from './accepted.ts'
import { followAdvice } from './follow-advice.ts'
import { keepNeeded } from './keep-needed.ts'

/** So often an accepted action is sent once more for the same resource. */
const repeats = 2

/** Learns whether an action that was accepted is accepted again for the same resource: then not every case needs a new one. */
export const learnRepeats = async (
  { model, binder, sender }: OperationSession,
  { testCase }: Sent,
): Promise<void> => {
  if (binder?.isAction !== true || testCase.chain?.exists !== true) return
  for (let count = 0; count < repeats; count++) {
    const { outcome, missing } = await sender.sendAsIs(testCase)
    if (missing !== undefined || !hasDone(model.operation, outcome)) return
  }
  binder.setRepeatable()
}

/**
 * Requests of a search, each with other values of the server. `isInner`: a path has them only below what the run creates itself, which no
 * one else has then.
 */
const searches: readonly (readonly [kind: ValidKind, round: number, isInner?: true])[] = [
  ['plain', 0, true],
  ['full', 0, true],
  ['plain', 1, true],
  ['plain', 2, true],
  ['plain', 0],
  ['full', 0],
  ['example', 0],
  ['plain', 1],
  ['full', 1],
  ['plain', 2],
  ['plain', 3],
]

/**
 * Looks for a valid request that the server accepts, with values that it has given itself. What was accepted stays with the operation:
 * all its requests have these values from then on. Null if none was found.
 */
export const searchValid = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
): Promise<Sent | null> => {
  const { pool } = session
  const { model, sender } = operation
  const { id } = model.operation
  const before = pool.givenTo(id)
  const tried = new Set<string>()
  const inner = namesBelowOwn(model)
  let taken: Sent | null = null
  for (const [kind, round, isInner = false] of searches) {
    if (isInner && inner.size === 0) continue
    const testCase = sender.validCase(valid, kind)
    const values = valuesFor(pool, model, testCase.spec, round, isInner ? inner : null)
    const key = `${kind} ${writeJson([...values].map(([place, { value }]) => [place, value]))}`
    if (values.size === 0 || tried.has(key)) continue
    tried.add(key)
    pool.give(id, values)
    const sent = await sender.send(testCase)
    // A server that is too busy shows nothing of the values.
    if (isUnserved(sent.outcome)) break
    if (wasSentAndAccepted(operation, sent)) {
      await keepNeeded(session, operation, valid, kind, values)
      return sent
    }
    if (isConflict(sent.outcome)) taken ??= sent
  }
  pool.give(id, new Map([...before, ...knownAround(session, operation, valid)]))
  // All was right but the name, which is that of something else.
  return taken === null ? null : followAdvice(session, operation, valid, [taken], 'rejected')
}

/** What is known for the names of a path before its last one: nothing has the last name, but the server gets as far as there. */
const knownAround = (
  { pool }: RunSession,
  { model, sender }: OperationSession,
  valid: Obligation,
): ValuesByPlace => {
  const around = new Set(
    resourcesOf(model.contract)
      .namesIn(model.operation)
      .slice(0, -1)
      .map(({ parameter }) => `path ${parameter}`),
  )
  const values =
    around.size === 0 ? [] : [...valuesFor(pool, model, sender.validCase(valid, 'plain').spec, 0)]
  return new Map(values.filter(([place]) => around.has(place)))
}

/** The parameters of a path below the last one that names what an operation creates: nobody creates what these name. */
const namesBelowOwn = ({ contract, operation }: OperationModel): ReadonlySet<string> => {
  const names = resourcesOf(contract).namesIn(operation)
  const last = names.findLastIndex(({ resource }) => creatorOf(resource) !== null)
  return new Set(last < 0 ? [] : names.slice(last + 1).map(({ parameter }) => parameter))
}

/**
 * Looks for another property of a resource by which the operation asks for it: some take its name, and others of the same service its id. What was
 * accepted is asked by from then on. If nothing was, it is the one with which the answer changed and does not speak of the name: more than
 * the name may be wrong. Null if no property makes a difference.
 */
export const searchOtherName = async (
  operation: OperationSession,
  valid: Obligation,
  rejected: Sent,
): Promise<Sent | null> => {
  const { sender, binder } = operation
  const names = binder?.otherNames() ?? []
  if (binder === null || names.length === 0) return null
  const askBy = async (way: AskedBy): Promise<Sent> => {
    binder.askBy(way)
    return sender.send(sender.validCase(valid, 'plain'))
  }
  // If a made-up name is answered in another way, the server knows the one that was sent.
  const byNothing = await askBy('nothing')
  let nearest: { readonly way: AskedBy; readonly sent: Sent } | null = null
  if (byNothing.missing === undefined && isSameAnswer(byNothing, rejected))
    for (const property of names) {
      const sent = await askBy({ property })
      if (wasSentAndAccepted(operation, sent)) return sent
      if (isUnserved(sent.outcome)) break
      if (sent.missing === undefined && !isSameAnswer(sent, rejected) && !isOfName(operation.model, sent))
        nearest ??= { way: { property }, sent }
    }
  binder.askBy(nearest?.way ?? 'name')
  return nearest?.sent ?? null
}

/** `find.ref: a reference must start with a letter, but was 2e1c`: it is the name that is wrong. */
const isOfName = (
  { contract, operation }: OperationModel,
  { testCase: { chain }, outcome }: Sent,
): boolean => {
  const name = chain?.values.at(-1)
  if (outcome.kind !== 'response' || name === undefined) return false
  const text = beginningOf(outcome.response)
  const parameter = resourcesOf(contract).namesIn(operation).at(-1)?.parameter ?? ''
  return text.includes(nameText(name)) || new RegExp(`\\b${RegExp.escape(parameter)}\\b`).test(text)
}

/**
 * Asks for a resource that was created with all that is optional: an operation may need what the plain one lacks. Null if that is not accepted
 * either.
 */
export const searchRichResource = async (
  operation: OperationSession,
  valid: Obligation,
): Promise<Found | null> => {
  const { sender, binder } = operation
  if (binder?.askForKind('rich') !== true) return null
  const sent = await sender.send(sender.validCase(valid, 'plain'))
  if (wasSentAndAccepted(operation, sent)) return { sent, accuses: false }
  binder.askForKind('plain')
  return null
}

/** A request that was accepted, and whether that accuses the server of having rejected the ones before. */
export type Found = { readonly sent: Sent; readonly accuses: boolean }

/** Other values of a plain request that are tried: some rules hold between properties, such as that a start is before an end. */
const variations = 4

/**
 * Looks for a plain request with other values that is accepted, as `searchValid` does. That the values of the first were rejected is
 * for the server to explain: the document allows them.
 */
export const searchOtherValues = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
): Promise<Found | null> => {
  const { model, sender } = operation
  for (let count = 0; count < variations; count++) {
    const plain = sender.validCase(valid, 'plain')
    const varied = sender.varied(plain)
    if (varied === plain) return null
    const sent = await sender.send(varied)
    if (isUnserved(sent.outcome)) return null
    if (!wasSentAndAccepted(operation, sent)) continue
    const of = { source: 'accepted before', isName: false }
    await keepNeeded(session, operation, valid, 'plain', differences(model, sent.testCase, plain.spec, of))
    return { sent, accuses: true }
  }
  return null
}
