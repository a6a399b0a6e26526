import { createResponseJudge, type Headers, type HttpResponse, type Operation } from '../../spec/index.ts'
import type { Engine } from '../engine/engine.ts'
import { noBody } from '../engine/mock-response.ts'
import type { Clock, Journal } from '../middleware/journal.ts'
import type { ShownViolation } from '../middleware/journal-entry.ts'
import { shownViolation } from '../middleware/shown-violations.ts'
import { refusalOf } from './allowed.ts'
import type { Body } from './callback-body.ts'
import { type Outgoing, send } from './send.ts'

export type SendOptions = {
  readonly journal: Journal
  readonly clock: Clock
  /** Hosts besides those of this machine and of private networks to which requests may go. */
  readonly hosts: readonly string[]
}

/** A request of the mock's own. */
export type OwnRequest = {
  readonly kind: 'callback' | 'webhook'
  readonly operation: Operation
  readonly url: string
  readonly headers: Headers
  /** Undefined: none could be made. */
  readonly body: () => Promise<Body | null | undefined>
  /** Why it is not to be sent; null: it is. */
  readonly refusal: string | null
}

/** What came of it. Status 0: there was no answer, for a reason. */
export type Outcome = {
  readonly status: number
  readonly reason: string | null
  readonly violations: readonly ShownViolation[]
}

/** Names the callback or webhook, in its request. */
export const markHeader = 'Plantstore-Callback'

/** Sends a request of the mock's own, judges the answer, and records both. */
export const sendOperation = async (
  { journal, clock, hosts }: SendOptions,
  engine: Engine,
  { kind, operation, url, headers: given, body: make, refusal }: OwnRequest,
  closing: AbortSignal,
): Promise<Outcome> => {
  const began = clock.ticks()
  const { method } = operation
  const record = (sent: Outgoing, answer: HttpResponse | null, reason: string | null): Outcome => {
    const response = answer ?? { status: 0, headers: [], body: noBody }
    const violations = answer === null ? [] : judged(engine, operation, answer)
    if (!closing.aborted)
      journal.add({
        ...sent,
        target: sent.url,
        ms: clock.ticks() - began,
        response,
        operation: operation.id,
        violations,
        scenario: reason === null ? kind : `${kind}: ${reason}`,
        answerProblem: null,
      })
    return { status: response.status, reason, violations }
  }
  const notSent = (reason: string): Outcome =>
    record({ url, method, headers: [], body: null }, null, `not sent: ${reason}`)
  const refused = refusal ?? refusalOf(url, hosts)
  if (refused !== null) return notSent(refused)
  const body = await make()
  if (body === undefined) return notSent('no body could be made, an example helps')
  const headers: Headers = [
    [markHeader, operation.id],
    ...given,
    ...(body === null ? [] : [['Content-Type', body.type] as const]),
    ['Content-Length', String(body?.bytes.length ?? 0)],
  ]
  const outgoing = { url, method, headers, body: body?.bytes ?? null }
  return send(outgoing, hosts, closing).then(
    answer => record(outgoing, answer, null),
    (error: Error) => record(outgoing, null, `failed: ${error.message || error.name}`),
  )
}

/** What the answer breaks of what the document declares for it. */
const judged = (
  { contract }: Engine,
  operation: Operation,
  answer: HttpResponse,
): readonly ShownViolation[] =>
  createResponseJudge(contract, operation)(answer, undefined).map(shownViolation)
