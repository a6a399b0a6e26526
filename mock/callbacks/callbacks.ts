import { type Callback, type Exchange, header, resolved, sentBy } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context, Middleware, SendFault } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { chain } from '../engine/maybe-promise.ts'
import { exchangeOf } from './exchange-of.ts'
import {
  brokenBody,
  callbackBody,
  markHeader,
  type Outcome,
  type SendOptions,
  sendOperation,
} from './send-operation.ts'
import { createSubscribers, madeCredentials, madeFields } from './subscribers.ts'

export type Callbacks = { readonly middleware: Middleware; readonly close: () => void }

/** So many at a time; of more, the journal says that they were not sent. */
const mostAtOnce = 100

/** What is to be sent: a callback to its URL, about an exchange; null: the exchange gives no URL for it. */
type Due = { readonly callback: Callback; readonly url: string | null; readonly exchange: Exchange }

/**
 * Sends the callbacks of an operation after the answer to a valid request, and webhooks to whoever asked for them, and records each with what came
 * of it.
 */
export const createCallbacks = (options: SendOptions): Callbacks => {
  const closing = new AbortController()
  const subscribers = createSubscribers()
  /** Of each callback, what the one before was about. */
  const before = new Map<string, Exchange>()
  let running = 0

  const send = async (engine: Engine, due: Due, fault: SendFault | null): Promise<Outcome | null> => {
    if (closing.signal.aborted) return null
    running += 1
    const isTooMany = running > mostAtOnce
    return sendOne(options, engine, due, { fault: fault?.name ?? null, isTooMany }, closing.signal)
      .catch((error: Error) => {
        engine.warn(`the callback ${due.callback.operation.id} failed: ${error.message}`)
        return null
      })
      .finally(() => {
        running -= 1
      })
  }

  /** Sends one as a fault wants it, if that is about it. */
  const sendFaulty = async (engine: Engine, due: Due, of: SendFault | null): Promise<void> => {
    const { callback, exchange } = due
    const fault = of?.callback === callback.name ? of : null
    if (fault?.name === 'sent') return
    const { id } = callback.operation
    const about = fault?.name === 'own' ? (before.get(id) ?? exchange) : exchange
    before.set(id, exchange)
    const outcome = await send(engine, { ...due, exchange: about }, fault)
    if (outcome !== null) fault?.answered(outcome.status)
    if (fault?.name === 'once') await send(engine, due, fault)
  }

  const sendAll = async (engine: Engine, context: Context, response: MockResponse): Promise<void> => {
    const { operation } = context.judged ?? {}
    if (operation === undefined) return
    const exchange = exchangeOf(context, response)
    const all = sentBy(engine.contract, operation)
    const callbacks = all
      .filter(({ isWebhook }) => !isWebhook)
      .map(callback => ({ callback, url: resolved(callback.url, { exchange, values: {} }), exchange }))
    const isAccepted = response.status < 300
    if (isAccepted) subscribers.note(all, exchange)
    const webhooks = isAccepted ? subscribers.for(exchange).map(each => ({ ...each, exchange })) : []
    await Promise.all([...callbacks, ...webhooks].map(due => sendFaulty(engine, due, context.sending)))
  }

  return {
    middleware: (context, next) =>
      chain(next(context), response => {
        const { document, judged, sending } = context
        // A mock whose callbacks lead to itself would not end.
        const isOwn = header(context.received.headers, markHeader.toLowerCase()) !== null
        const isAccepted = judged !== null && judged.violations.length === 0 && response.status < 300
        const isDue = !isOwn && (isAccepted || (judged !== null && sending?.name === 'rejected'))
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
  { callback, url, exchange }: Due,
  { fault, isTooMany }: { readonly fault: SendFault['name'] | null; readonly isTooMany: boolean },
  closing: AbortSignal,
): Promise<Outcome> => {
  const { operation, isWebhook, name, url: template } = callback
  const [media] = operation.body?.media ?? []
  const fields = madeFields(engine, operation)
  const credentials = callback.hasSecurity && fault !== 'credentials' ? madeCredentials(operation) : []
  const request = {
    kind: isWebhook ? ('webhook' as const) : ('callback' as const),
    // Not as declared is what has another method, whatever its body may be.
    operation: fault === 'request' && media === undefined ? { ...operation, method: 'PURGE' } : operation,
    url: url ?? template,
    headers: [...fields, ...credentials],
    body: async () => {
      if (media === undefined) return null
      const make = fault === 'request' ? brokenBody : callbackBody
      return make(engine, media, exchange, isWebhook ? name : null)
    },
    refusal:
      url === null ? `${template} has no value` : isTooMany ? `${mostAtOnce} callbacks are under way` : null,
  }
  return sendOperation(options, engine, request, closing)
}
