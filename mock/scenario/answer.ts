import { clauseOf, codes, type Operation } from '../../spec/index.ts'
import { withChallenge } from '../challenge.ts'
import type { Composed } from '../compose.ts'
import type { Desk, Read } from '../engine.ts'
import type { Reason } from '../failure.ts'
import type { Soon } from '../soon.ts'
import type { Example } from './example.ts'
import { failBy, failWith } from './fail.ts'
import type { Scenario } from './scenario.ts'

/** Whether every answer is chosen, whatever was asked. */
export const isChosen = ({ status, code, message, example, limit, duplicates }: Scenario): boolean =>
  status !== undefined ||
  example !== undefined ||
  ((code !== undefined || message !== undefined) && limit === undefined && duplicates !== 'refuse')

/** The reason that a scenario gives for a failure. */
export const reasonOf = ({ code, message }: Scenario, otherwise: Reason): Reason => ({
  code: code ?? otherwise.code,
  messages: message === undefined ? otherwise.messages : [message],
})

const asked: Reason = { code: codes.chosen, messages: ['a scenario asks for this failure'] }

/** The failure that a scenario chooses, or its limit and duplicates give. */
export const failureOf = (desk: Desk, operation: Operation, scenario: Scenario): Soon<Composed> => {
  const reason = reasonOf(scenario, asked)
  const { status, limit, duplicates, undeclared = false } = scenario
  if (status !== undefined) return failWith(desk, operation, status, reason)
  if (limit !== undefined) return failBy(desk, operation, 429, reason, undeclared)
  if (duplicates === 'refuse') return failBy(desk, operation, 409, reason, undeclared)
  return desk.refuse(operation, 'body', reason)
}

/** The answer of a scenario that chooses it. */
export const chosenAnswer = async (
  desk: Desk,
  read: Read,
  scenario: Scenario,
  example: Example | null,
  realm: string,
): Promise<Composed> => {
  const { operation, breaches } = read
  const { status } = scenario
  if (example !== null) return desk.compose(operation, example.clause, status ?? 200, () => example.value)
  if (status === undefined || status >= 400) {
    const breach = breaches.find(({ cause }) => cause === 'credentials') ?? null
    return withChallenge(await failureOf(desk, operation, scenario), operation, breach, realm)
  }
  const accepted = await desk.accept(read)
  const clause = clauseOf(operation, status)
  if (clause !== null && clause !== clauseOf(operation, accepted.status))
    return desk.compose(operation, clause, status)
  return status === 204 || status === 304
    ? { status, headers: [], body: new Uint8Array() }
    : { ...accepted, status }
}
