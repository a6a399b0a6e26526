import {
  type Callback,
  callbacksOf,
  createResponseJudge,
  errorCodes,
  type Headers,
  type HttpResponse,
  header,
  type RequestViolation,
} from '../../spec/index.ts'
import type { Context, Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { chain } from '../engine/maybe-promise.ts'
import { type MockResponse, noBody } from '../engine/mock-response.ts'
import { withoutOrigin } from '../engine/request.ts'
import type { Clock, Journal } from '../middleware/journal.ts'
import { refusalOf } from './allowed.ts'
import { callbackBody } from './callback-body.ts'
import { type Exchange, resolved } from './expression.ts'
import { type Outgoing, send } from './send.ts'

export type CallbackOptions = {
  readonly journal: Journal
  readonly clock: Clock
  /** Hosts besides those of this machine and of private networks to which callbacks may go. */
  readonly hosts: readonly string[]
}

export type Callbacks = { readonly middleware: Middleware; readonly close: () => void }

/** Names the callback, in its request. */
const markHeader = 'Plantstore-Callback'

/** So many at a time; of more, the journal says that they were not sent. */
const mostAtOnce = 100

/** Sends the callbacks of an operation after the answer to a valid request, and records each with what came of it. */
export const createCallbacks = (options: CallbackOptions): Callbacks => {
  const closing = new AbortController()
  let running = 0
  const sendAll = async (engine: Engine, context: Context, response: MockResponse): Promise<void> => {
    const { operation } = context.judged ?? {}
    if (operation === undefined) return
    for (const callback of callbacksOf(engine.contract, operation)) {
      if (closing.signal.aborted) return
      running += 1
      await sendOne(
        options,
        engine,
        callback,
        exchangeOf(context, response),
        running > mostAtOnce,
        closing.signal,
      )
        .catch((error: Error) =>
          engine.warn(`the callback ${callback.operation.id} failed: ${error.message}`),
        )
        .finally(() => {
          running -= 1
        })
    }
  }
  return {
    middleware: (context, next) =>
      chain(next(context), response => {
        const { document, judged } = context
        // A mock whose callbacks lead to itself would not end.
        const isOwn = header(context.received.headers, markHeader.toLowerCase()) !== null
        const isDue = judged !== null && !isOwn && judged.violations.length === 0 && response.status < 300
        // After the answer: what writes it runs before a timer does.
        if (isDue && document !== null) setTimeout(() => void sendAll(document.engine, context, response), 0)
        return response
      }),
    close: () => closing.abort(),
  }
}

const sendOne = async (
  { journal, clock, hosts }: CallbackOptions,
  engine: Engine,
  { url: template, operation }: Callback,
  exchange: Exchange,
  isTooMany: boolean,
  closing: AbortSignal,
): Promise<void> => {
  const url = resolved(template, exchange)
  const began = clock.ticks()
  const record = (sent: Outgoing, outcome: HttpResponse | string): void => {
    if (closing.aborted) return
    const answer = typeof outcome === 'string' ? { status: 0, headers: [], body: noBody } : outcome
    journal.add({
      ...sent,
      target: sent.url,
      ms: clock.ticks() - began,
      response: answer,
      operation: operation.id,
      violations: typeof outcome === 'string' ? [] : judged(engine, operation, outcome),
      scenario: typeof outcome === 'string' ? `callback: ${outcome}` : 'callback',
      answerProblem: null,
    })
  }
  const { method } = operation
  const nothing = { url: url ?? template, method, headers: [], body: null }
  if (url === null) return record(nothing, `not sent: ${template} has no value`)
  const refusal = isTooMany ? `${mostAtOnce} callbacks are under way` : refusalOf(url, hosts)
  if (refusal !== null) return record(nothing, `not sent: ${refusal}`)
  const [media] = operation.body?.media ?? []
  const body = media === undefined ? null : await callbackBody(engine, media, exchange)
  if (body === undefined) return record(nothing, 'not sent: no body could be made, an example helps')
  const length = ['Content-Length', String(body?.bytes.length ?? 0)] as const
  const headers: Headers = [
    [markHeader, operation.id],
    ...(body === null ? [length] : [['Content-Type', body.type] as const, length]),
  ]
  const outgoing = { url, method, headers, body: body?.bytes ?? null }
  await send(outgoing, hosts, closing).then(
    answer => record(outgoing, answer),
    (error: Error) => record(outgoing, `failed: ${error.message || error.name}`),
  )
}

/** What the answer to a callback breaks of what the document declares for it. */
const judged = (
  { contract }: Engine,
  operation: Callback['operation'],
  answer: HttpResponse,
): readonly RequestViolation[] =>
  createResponseJudge(contract, operation)(answer, undefined).map(({ id, title, expected }) => ({
    id,
    part: 'body',
    code: errorCodes.otherRule,
    message: `${title}; expected: ${expected}`,
    at: null,
  }))

const exchangeOf = ({ received, route }: Context, { status, headers, body }: MockResponse): Exchange => {
  const host = header(received.headers, 'host') ?? 'localhost'
  return {
    url: `${'encrypted' in received.connection ? 'https' : 'http'}://${host}${withoutOrigin(received.target)}`,
    method: received.method,
    status,
    path: route?.kind === 'operation' ? route.path : {},
    request: { headers: received.headers, body: received.body },
    response: { headers, body },
  }
}
