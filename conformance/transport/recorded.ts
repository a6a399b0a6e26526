import {
  type Outcome,
  type Request,
  recordOutcome,
  recordRequest,
  type Secret,
  type SentExchange,
} from '../../spec/index.ts'
import type { Transport } from './index.ts'

/** Bytes of a body that are kept: more than nearly all have. */
const bodyLimit = 65_536

export type RecordingOptions = {
  readonly secrets: readonly Secret[]
  /** When the run began, on the clock of `performance.now`. */
  readonly began: number
  readonly tell: (exchange: SentExchange) => void
}

/** The same transport, telling all that is sent through it, in the order of the answers. */
export const recorded = (transport: Transport, { secrets, began, tell }: RecordingOptions): Transport => {
  const note = (request: Request, outcome: Outcome, ended: number): void =>
    tell({
      request: recordRequest(request, bodyLimit),
      outcome: recordOutcome(outcome, secrets, bodyLimit),
      at: ended - outcome.ms - began,
    })
  return {
    ...transport,
    send: async request => {
      const outcome = await transport.send(request)
      note(request, outcome, performance.now())
      return outcome
    },
    sendInRow: async requests => {
      const outcomes = await transport.sendInRow(requests)
      // They came one after the other.
      let ended = performance.now() - outcomes.reduce((sum, { ms }) => sum + ms, 0)
      for (const [index, request] of requests.entries()) {
        const outcome = outcomes[index]
        if (outcome === undefined) continue
        ended += outcome.ms
        note(request, outcome, ended)
      }
      return outcomes
    },
  }
}
