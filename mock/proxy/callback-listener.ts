/** The other direction: what the server sends to its clients comes here, is judged, and goes on to them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Arrival,
  type Callback,
  callbackProblem,
  callbackSuccess,
  createResponseJudge,
  type Exchange,
  type HttpResponse,
  type ResponseViolation,
  violationOf,
  withoutLastSlashes,
} from '../../spec/index.ts'
import { exchangeOf } from '../callbacks/exchange-of.ts'
import { send } from '../callbacks/send.ts'
import { noBody } from '../engine/compiled-response.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import { chain } from '../engine/maybe-promise.ts'
import { type Clock, type Journal, shownViolation } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { listen } from '../server/listen.ts'
import { readBody } from '../server/read-body.ts'
import { createCallbackMeaning, type Meant } from './callback-meaning.ts'
import { ofOneHop, pairsOf } from './fields.ts'
import type { ListenSettings } from './options.ts'

/** A callback or webhook that came, and what was answered. */
export type Heard = {
  readonly entry: Entry
  /** The request that gave its URL, and the response; null: it did not come through the proxy. */
  readonly cause: Exchange | null
  /** The operation whose request gave its URL; null: the document names none. */
  readonly owner: string | null
  readonly callback: Callback
  /** What the server broke. */
  readonly violations: readonly ResponseViolation[]
  /** Whether the answer of the client breaks the document. */
  readonly isAnswerWrong: boolean
}

export type CallbackListener = {
  /** What clients give as the beginning of a URL. */
  readonly url: string
  /** How `--listen` and `--public-url` say it. */
  readonly policies: Readonly<Record<string, string>>
  /** Notes where the callbacks of the requests that go to the server are to come to. */
  readonly middleware: Middleware
  readonly listen: (listener: (heard: Heard) => void) => () => void
  readonly close: () => Promise<void>
}

/** Listens. Throws ListenError. */
export const openCallbackListener = async (
  settings: ListenSettings,
  { contract }: ServedDocument,
  {
    journal,
    clock,
    maxBodyBytes,
  }: { readonly journal: Journal; readonly clock: Clock; readonly maxBodyBytes: number },
): Promise<CallbackListener> => {
  const { host = '127.0.0.1', port, forwardTo, secrets = {} } = settings
  const listeners = new Set<(heard: Heard) => void>()
  const closing = new AbortController()
  const meaning = createCallbackMeaning(contract, secrets, () => base, closing.signal)
  const record = (
    arrival: Arrival,
    answer: HttpResponse,
    meant: Meant | null,
    reason: string | null,
    ms: number,
  ) => {
    const violations = meant === null ? [] : violationsOf(meant)
    const ofAnswer =
      meant === null || reason !== null
        ? []
        : createResponseJudge(contract, meant.callback.operation)(answer, undefined)
    const kind = meant?.callback.isWebhook === true ? 'webhook' : 'callback'
    const entry = journal.add({
      ...arrival,
      ms,
      response: answer,
      operation: meant?.callback.operation.id ?? null,
      violations: [...violations, ...ofAnswer].map(shownViolation),
      scenario: meant === null ? 'undeclared callback' : reason === null ? kind : `${kind}: ${reason}`,
      answerProblem: null,
    })
    if (meant === null) return
    const { owner, callback, cause } = meant
    const heard = { entry, cause, owner, callback, violations, isAnswerWrong: ofAnswer.length > 0 }
    for (const listener of listeners) listener(heard)
  }

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request, maxBodyBytes)
    if (body === undefined) {
      response.writeHead(413).end()
      return
    }
    const { method = '', url = '/' } = request
    const target = url.startsWith(basePath) ? url.slice(basePath.length) || '/' : url
    const arrival = { method, target, headers: pairsOf(request.rawHeaders), body, at: performance.now() }
    const began = clock.ticks()
    // The server waits for the answer, and the answer may be what the rest of its own response waits for.
    const later = meaning.later(arrival)
    const forwarded = forwardTo === undefined ? null : await pass(arrival, forwardTo, closing.signal)
    const soon = forwarded === null ? meaning.now(arrival) : null
    const answer = forwarded?.answer ?? (soon === null ? taken : callbackSuccess(contract, soon.callback))
    response.writeHead(answer.status, answer.headers.filter(([name]) => !ofOneHop.test(name)).flat())
    response.end(answer.body)
    const ms = clock.ticks() - began
    const meant = await later
    if (!closing.signal.aborted) record(arrival, answer, meant, forwarded?.reason ?? null, ms)
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  await listen(server, host, port, { port: '--listen', host: '--listen' })
  const { port: taking } = server.address() as AddressInfo
  const base = withoutLastSlashes(settings.publicUrl ?? `http://${nameOf(host)}:${taking}`)
  const basePath = withoutLastSlashes(new URL(base).pathname)
  return {
    url: base,
    policies: {
      listen: host === '127.0.0.1' ? String(port) : `${host.includes(':') ? `[${host}]` : host}:${port}`,
      ...(settings.publicUrl === undefined ? {} : { 'public-url': settings.publicUrl }),
    },
    middleware: (context, next) =>
      chain(next(context), response => {
        const { forwarded, judged } = context
        const answer = forwarded?.response ?? null
        if (answer === null || judged === null || answer.status >= 300) return response
        meaning.expect(judged.operation.id, exchangeOf(context, answer))
        return response
      }),
    listen: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () =>
      new Promise(resolve => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** For what the document does not declare. */
const taken: HttpResponse = { status: 204, headers: [], body: noBody }

/** What the server broke; of a webhook that nobody asks for, of the operation that it is itself. */
const violationsOf = ({ owner, callback, received }: Meant): readonly ResponseViolation[] =>
  (['request', 'credentials'] as const).flatMap(part => {
    if (received[part].length === 0) return []
    const subject = { kind: 'callback', callback: callback.name, name: part } as const
    const operation = owner ?? callback.operation.id
    return [violationOf({ operation, subject }, callbackProblem(received, part, []))]
  })

/** Sends it on to the client. If the client gives no answer, a 502 says why. */
const pass = async (
  { method, target, headers, body }: Arrival,
  to: URL,
  closing: AbortSignal,
): Promise<{ readonly answer: HttpResponse; readonly reason: string | null }> => {
  const url = withoutLastSlashes(to.href) + target
  const fields = headers.filter(([name]) => !ofOneHop.test(name))
  const length = body === null ? [] : [['Content-Length', String(body.length)] as const]
  try {
    const answer = await send({ url, method, headers: [...fields, ...length], body }, [bareHost(to)], closing)
    return { answer, reason: null }
  } catch (error) {
    const reason = `the client gave no answer: ${(error as Error).message}`
    const text = new TextEncoder().encode(reason)
    return { answer: { status: 502, headers: [['Content-Type', 'text/plain']], body: text }, reason }
  }
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** By which name this machine reaches what listens on an address. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Null: there is none; undefined: it is larger than what is read. */
const bodyOf = (request: IncomingMessage, most: number): Promise<Uint8Array | null | undefined> =>
  new Promise(resolve => readBody(request, most, (body, tooLarge) => resolve(tooLarge ? undefined : body)))
