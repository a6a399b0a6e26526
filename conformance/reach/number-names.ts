import type { Obligation } from '../../spec/index.ts'
import { isPageOfNoRoute } from '../judge/expected-status.ts'
import { type KnownValue, nothing } from '../pool/pool.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'

/** Nothing has this number, as far as anybody can know. */
const number: KnownValue = { value: '987654321', source: 'a made-up number', isName: false }

/**
 * Asks by a number if a made-up name is answered with a page that the document does not declare: some servers have a route for numbers only, although the
 * document says that the name is any text, and the page is that of a web app for whatever it has no route. If the server then answers otherwise, requests
 * of the operation have numbers from then on. Null if it does not.
 */
export const searchNumberName = async (
  { pool }: RunSession,
  { model, sender }: OperationSession,
  valid: Obligation,
  { testCase, outcome }: Sent,
): Promise<Sent | null> => {
  const { operation } = model
  if (testCase.chain?.exists === true || !isPageOfNoRoute(operation, outcome)) return null
  const { parameters } = sender.validCase(valid, 'plain').spec
  const names = operation.parameters.filter(
    ({ in: part, name }) => part === 'path' && typeof parameters[name] === 'string',
  )
  if (names.length === 0) return null
  pool.give(operation.id, new Map(names.map(({ name }) => [`path ${name}`, number] as const)), true)
  const sent = await sender.send(sender.validCase(valid, 'plain'))
  const isOther =
    sent.missing === undefined &&
    sent.outcome.kind === 'response' &&
    !isPageOfNoRoute(operation, sent.outcome)
  if (!isOther) pool.give(operation.id, nothing, true)
  return isOther ? sent : null
}
