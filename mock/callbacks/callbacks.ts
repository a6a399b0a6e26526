import { type Callback, callbacksOf, type Exchange, header, resolved } from '../../spec/index.ts'
import type { Context, Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { chain } from '../engine/maybe-promise.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { baseOf, withoutOrigin } from '../engine/request.ts'
import { callbackBody } from './callback-body.ts'
import { markHeader, type SendOptions, sendOperation } from './send-operation.ts'

export type Callbacks = { readonly middleware: Middleware; readonly close: () => void }

/** So many at a time; of more, the journal says that they were not sent. */
const mostAtOnce = 100

/** Sends the callbacks of an operation after the answer to a valid request, and records each with what came of it. */
export const createCallbacks = (options: SendOptions): Callbacks => {
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
  options: SendOptions,
  engine: Engine,
  { url: template, operation }: Callback,
  exchange: Exchange,
  isTooMany: boolean,
  closing: AbortSignal,
): Promise<void> => {
  const url = resolved(template, { exchange, values: {} })
  const [media] = operation.body?.media ?? []
  const request = {
    kind: 'callback' as const,
    operation,
    url: url ?? template,
    headers: [],
    body: async () => (media === undefined ? null : callbackBody(engine, media, exchange)),
    refusal:
      url === null ? `${template} has no value` : isTooMany ? `${mostAtOnce} callbacks are under way` : null,
  }
  await sendOperation(options, engine, request, closing)
}

const exchangeOf = ({ received, route }: Context, { status, headers, body }: MockResponse): Exchange => {
  const base = baseOf(received)
  return {
    url: base.origin + base.path + withoutOrigin(received.target),
    method: received.method,
    status,
    path: route?.kind === 'operation' ? route.path : {},
    request: { headers: received.headers, body: received.body },
    response: { headers, body },
  }
}
