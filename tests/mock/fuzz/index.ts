import type { Contract } from '../../../spec/index.ts'
import { converse } from './converse.ts'
import { createJudge } from './judge.ts'
import { validMessages } from './message.ts'
import { planOf } from './plan.ts'

export type FuzzOptions = {
  readonly contract: Contract
  /** A right token, or `user:password`. */
  readonly token: string
  readonly port: number
  /** The first connection's seed; each further one has the next. */
  readonly seed: number
  /** Requests to send, at least. */
  readonly requests: number
  readonly concurrency: number
  /** A connection hangs if a response is due and nothing comes for so long. */
  readonly boundMs: number
  /** Called after so many requests. */
  readonly onProgress?: (requests: number) => void
}

/** A connection with a wrong response, or without one. */
export type Fault = {
  readonly kind: 'crash' | 'hang' | 'response'
  readonly seed: number
  readonly what: string
  /** The bytes that were sent and received, to send them again. */
  readonly sent: Buffer
  readonly received: Buffer
}

export type Fuzzed = {
  readonly requests: number
  readonly connections: number
  /** Valid requests that got their success; others came after one that ended the connection. */
  readonly succeeded: number
  /** Final responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly faults: readonly Fault[]
}

// A mock that is gone would be reported for every connection.
const maxFaults = 20

/** Sends the connections of consecutive seeds to a mock, and judges every response. */
export const fuzz = async (options: FuzzOptions): Promise<Fuzzed> => {
  const { contract, port, boundMs, onProgress = () => {} } = options
  const messages = validMessages(contract, options.token, 20)
  const judge = createJudge(contract)
  const faults: Fault[] = []
  const statuses: Record<string, number> = {}
  let [requests, connections, succeeded] = [0, 0, 0]
  const work = async (): Promise<void> => {
    while (requests < options.requests && faults.length < maxFaults) {
      const plan = planOf(messages, options.seed + connections)
      connections += 1
      requests += plan.sent.length
      const { received, outcome } = await converse(port, plan, boundMs)
      for (const [, status = ''] of received.toString('latin1').matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g))
        statuses[status] = (statuses[status] ?? 0) + 1
      const fault = (kind: Fault['kind'], what: string): void => {
        faults.push({ kind, seed: plan.seed, what, sent: Buffer.concat(plan.pieces), received })
      }
      if (outcome === 'hung') fault('hang', `no end within ${boundMs} ms`)
      else if (outcome === 'unreachable') fault('crash', 'no connection')
      else {
        const judged = judge(plan, received)
        succeeded += judged.succeeded
        if (judged.problem !== null) fault('response', judged.problem)
      }
      onProgress(requests)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  return { requests, connections, succeeded, statuses, faults }
}

/** A fault in words, with its bytes. */
export const faultText = ({ kind, seed, what, sent, received }: Fault): string =>
  `${kind}, seed ${seed}: ${what}\n  sent ${JSON.stringify(sent.toString('latin1'))}\n  received ${JSON.stringify(received.toString('latin1'))}`
