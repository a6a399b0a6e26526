import type { Obligation } from '../../spec/index.ts'
import { isTaken } from '../judge/expected-status.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession } from './session.ts'

/** Whether a valid request was accepted, and those that were rejected before it. */
export type ProbeResult = { readonly accepted: boolean; readonly rejected: readonly Sent[] }

// A server may fail on the first request, on one with all or nothing of what is optional, or on what all plain ones have in common,
// such as lists of one item.
const kinds = ['full', 'plain', 'full', 'plain', 'random', 'random', 'random'] as const

export const mostProbes = kinds.length

/** Each timeout costs its time, and two of them show that nobody responds. */
const timeoutsTolerated = 1

/** Sends valid requests until one is accepted. */
export const probe = async (operation: OperationSession, valid: Obligation): Promise<ProbeResult> => {
  const { sender } = operation
  const rejected: Sent[] = []
  let timeouts = 0
  for (const kind of kinds) {
    const sent = await sender.send(sender.validCase(valid, kind))
    const { outcome } = sent
    if (isAccepted(operation, sent)) return { accepted: true, rejected }
    rejected.push(sent)
    if (outcome.kind === 'failure' && outcome.failure === 'timeout') timeouts += 1
    if (timeouts > timeoutsTolerated) break
  }
  return { accepted: false, rejected }
}

/**
 * If the head of a response came and its body broke off, the request was accepted all the same. What could not be asked shows nothing.
 */
export const isAccepted = ({ model }: OperationSession, { testCase, outcome, missing }: Sent): boolean => {
  if (missing !== undefined) return true
  const status = outcome.kind === 'response' ? outcome.response.status : outcome.status
  return status !== null && isTaken(model.operation, status, testCase.chain?.isThere === true)
}

/** The obligation that any valid request is accepted; undefined if no valid request can be generated. */
export const validObligation = ({ valid }: OperationSession): Obligation | undefined => valid
