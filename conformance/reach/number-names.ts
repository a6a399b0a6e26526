import type { Obligation } from '../../spec/index.ts'
import { isCatchAllPage } from '../judge/expected-status.ts'
import { type KnownValue, nothing } from '../pool/pool.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'

/** A number that hardly any resource has. */
const number: KnownValue = { value: '987654321', source: 'a made-up number', isName: false }

/**
 * Asks by a number if a made-up name is answered with an undeclared page: some servers have a route for numbers only, although the document
 * allows any text, and a web app answers every other path with its page. If the answer to the number is another one, later requests of the
 * operation have it as well. Null if it is the same.
 */
export const searchNumberName = async (
  { pool }: RunSession,
  { model, sender }: OperationSession,
  valid: Obligation,
  { testCase, outcome }: Sent,
): Promise<Sent | null> => {
  const { operation } = model
  if (testCase.chain?.exists === true || !isCatchAllPage(operation, outcome)) return null
  const { parameters } = sender.validCase(valid, 'plain').spec
  const names = operation.parameters.filter(
    ({ in: part, name }) => part === 'path' && typeof parameters[name] === 'string',
  )
  if (names.length === 0) return null
  pool.give(operation.id, new Map(names.map(({ name }) => [`path ${name}`, number] as const)), true)
  const sent = await sender.send(sender.validCase(valid, 'plain'))
  const isOther =
    sent.missing === undefined && sent.outcome.kind === 'response' && !isCatchAllPage(operation, sent.outcome)
  if (!isOther) pool.give(operation.id, nothing, true)
  return isOther ? sent : null
}
