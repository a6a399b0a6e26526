/** What is sent after the plan: does the server still accept a valid request, and do the failures come again? */
import { type Confirmations, confirmOperation } from '../confirm/confirm.ts'
import type { Confirmed } from '../confirm/confirm-incident.ts'
import { judgeCase } from '../judge/judge-case.ts'
import type { Incident, RunStats } from '../judge/run-stats.ts'
import { probe, validObligation } from './probe.ts'
import type { OperationSession, RunSession } from './session.ts'

/** Requests of one operation that confirming and minimising may take. */
const confirmationBudget = 1500

/** By operation: a valid request that the server rejects now; an operation that accepts one is not in it. */
export const probeAgain = async (
  { options }: RunSession,
  operations: readonly OperationSession[],
): Promise<ReadonlyMap<string, Incident>> => {
  const drifted = new Map<string, Incident>()
  for (const operation of operations) {
    const { model } = operation
    const valid = validObligation(operation)
    const result = valid === undefined ? null : await probe(operation, valid)
    const last = result?.accepted === false ? result.rejected.at(-1) : undefined
    if (last === undefined) continue
    const { violation } = judgeCase(model, last.testCase, last.outcome, options.unauthenticated)
    if (violation !== null) drifted.set(model.operation.id, { ...last, violation })
  }
  return drifted
}

/** Sends again what failed, and makes it small. */
export const confirmFailures = async (
  { options }: RunSession,
  operations: readonly OperationSession[],
  stats: RunStats,
  drifted: ReadonlyMap<string, Incident>,
): Promise<Confirmations> => {
  const confirmations = new Map<string, Confirmed>()
  for (const { model, sender, obligations } of operations) {
    const confirmed = await confirmOperation(obligations, stats, {
      model,
      sender,
      policy: options.unauthenticated,
      budget: { left: confirmationBudget },
      hasDrifted: drifted.has(model.operation.id),
    })
    for (const [key, confirmation] of confirmed) confirmations.set(key, confirmation)
  }
  return confirmations
}
