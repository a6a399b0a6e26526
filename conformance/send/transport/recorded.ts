import {
  type HttpRequest,
  type Outcome,
  recordOutcome,
  recordRequest,
  type Secret,
  type SentExchange,
} from '../../../spec/index.ts'
import type { Transport } from './index.ts'

/** Bytes of a body that are kept: nearly all bodies are smaller. */
const bodyLimit = 65_536

export type RecordingOptions = {
  readonly secrets: readonly Secret[]
  /** When the run began, on the clock of `performance.now`. */
  readonly began: number
  readonly onExchange: (exchange: SentExchange) => void
}

/** The same transport, which reports every exchange in the order of the responses. */
export const recorded = (
  transport: Transport,
  { secrets, began, onExchange }: RecordingOptions,
): Transport => {
  const record = (request: HttpRequest, outcome: Outcome, ended: number): void =>
    onExchange({
      request: recordRequest(request, bodyLimit),
      outcome: recordOutcome(outcome, secrets, bodyLimit),
      at: ended - outcome.ms - began,
    })
  return {
    ...transport,
    send: async (request, onSend) => {
      const outcome = await transport.send(request, onSend)
      record(request, outcome, performance.now())
      return outcome
    },
    sendInRow: async requests => {
      const outcomes = await transport.sendInRow(requests)
      let ended = performance.now() - outcomes.reduce((sum, { ms }) => sum + ms, 0)
      for (const [index, request] of requests.entries()) {
        const outcome = outcomes[index]
        if (outcome === undefined) continue
        ended += outcome.ms
        record(request, outcome, ended)
      }
      return outcomes
    },
  }
}
