import { type Obligation, writeJson } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { type Advice, adviceIn } from '../pool/advice.ts'
import { differences } from '../pool/known-values.ts'
import type { ValuesByPlace } from '../pool/pool.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { isRejected, isUnserved, wasSentAndAccepted } from './accepted.ts'
import { keepNeeded } from './keep-needed.ts'

/** Requests that are sent with what the server advises, one change after the other. */
const mostAdvised = 24

/**
 * Sends plain requests with what the texts of rejections ask for, until one is accepted. `from`: all was right in the request that was rejected, but
 * what the text says; or a plain request is what is changed; or first the one, then the other.
 */
export const followAdvice = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  rejected: readonly Sent[],
  from: 'rejected' | 'plain' | 'either' = 'either',
  most = mostAdvised,
): Promise<Sent | null> => {
  const { pool } = session
  const { model, sender } = operation
  const { id } = model.operation
  const before = pool.givenTo(id)
  const plain = sender.validCase(valid, 'plain').spec
  const of = { isName: false, source: 'the server asks for it' }
  const advised = advisedBy(model)
  // The one that was rejected with these words may have more than a plain one.
  for (const isFromPlain of from === 'either' ? [true, false] : [from === 'plain']) {
    const tried = new Set<string>()
    let values: ValuesByPlace = before
    let answers = rejected.toReversed()
    for (let count = 0; count < most; count++) {
      // A value that was wrong beside others may be right beside those that the server has asked for since.
      const keyOf = (each: Advice): string =>
        writeJson([
          each.place,
          each.value,
          ...[...values].flatMap(([place, { value }]) => (place === each.place ? [] : [[place, value]])),
        ])
      const advice = answers.flatMap(advised).find(each => !tried.has(keyOf(each)))
      if (advice === undefined) break
      tried.add(keyOf(advice))
      const { place, by, ...value } = advice
      const next = new Map([
        ...(isFromPlain ? [] : differences(model, by.testCase, plain, of)),
        ...values,
        [place, { ...of, ...value, isAdded: true }] as const,
      ])
      pool.give(id, next)
      const sent = await sender.send(sender.validCase(valid, 'plain'))
      if (isUnserved(sent.outcome)) {
        pool.give(id, before)
        return null
      }
      if (wasSentAndAccepted(operation, sent)) {
        await keepNeeded(session, operation, valid, 'plain', next)
        return sent
      }
      // The next change goes on from here if the server says something else now.
      const isNew = isRejected(sent) && !answers.some(each => hasSameText(each, sent))
      if (isNew) [values, answers] = [next, [sent, ...answers]]
    }
  }
  pool.give(id, before)
  return null
}

type Advised = Advice & { readonly by: Sent }

/** What an answer advises; read once, as patterns in it cost time. */
const advisedBy = (model: OperationModel): ((by: Sent) => readonly Advised[]) => {
  const known = new Map<Sent, readonly Advised[]>()
  return by => {
    const { testCase, outcome } = by
    const advice =
      known.get(by) ??
      (outcome.kind === 'response'
        ? adviceIn(model, testCase.spec, outcome.response.body).map(each => ({ ...each, by }))
        : [])
    known.set(by, advice)
    return advice
  }
}

const hasSameText = (left: Sent, right: Sent): boolean =>
  left.outcome.kind === 'response' &&
  right.outcome.kind === 'response' &&
  Buffer.from(left.outcome.response.body).equals(Buffer.from(right.outcome.response.body))
