import {
  fillRaw,
  fillToken,
  type Headers,
  headerPlaceholder,
  type Outcome,
  type Request,
} from '../../spec/index.ts'
import type { Access } from './access.ts'
import { type Bare, sendInRow } from './bare.ts'
import { createDials, proxyCredentials } from './dial.ts'
import { createPace } from './pace.ts'
import { createPooled } from './pooled.ts'
import { sendRaw } from './raw.ts'
import { createStale } from './stale.ts'

export { type Access, type AccessOptions, accessOf } from './access.ts'

/** Stands for a token where none is known: well-formed, and nobody's. */
export const madeUpToken = 'plantstore-made-up-token'

export type Transport = {
  /** Sends on any of the pooled connections. */
  readonly send: (request: Request) => Promise<Outcome>
  /** Sends one after the other on one connection of their own, as far as the server keeps it open. */
  readonly sendInRow: (requests: readonly Request[]) => Promise<readonly Outcome[]>
  /** Requests sent so far. */
  readonly sent: () => number
  readonly close: () => Promise<void>
}

export type TransportOptions = { readonly base: URL; readonly token: string; readonly access: Access }

/** Sends requests to one server and no other: redirects are answers like all others, and are not followed. */
export const createTransport = ({ base, token, access }: TransportOptions): Transport => {
  const { timeoutMs, proxy } = access
  const dials = createDials(base, access)
  const stale = createStale()
  const pooled = createPooled(base, dials.usual, timeoutMs, stale)
  const pace = createPace(access.rate)
  let sent = 0
  const turn = (): Promise<void> => {
    sent += 1
    return pace()
  }
  const bare: Bare = { host: base.host, dial: dials.usual, timeoutMs, stale, turn }
  const prefix = base.pathname.replace(/\/$/, '')
  const credentials = proxy === null ? null : proxyCredentials(proxy)
  const forProxy: Headers =
    dials.forwarded && credentials !== null ? [['Proxy-Authorization', credentials]] : []
  const fill = (request: Request): Request => ({
    ...request,
    target:
      (dials.forwarded ? base.origin : '') + prefix + fillToken(request.target, encodeURIComponent(token)),
    headers: [
      ...request.headers
        .filter(([, value]) => value !== headerPlaceholder)
        .map(([name, value]) => [name, fillToken(value, token)] as const),
      ...access.headers,
      ...forProxy,
    ],
  })
  const inRow = async (requests: readonly Request[]): Promise<readonly Outcome[]> =>
    (await sendInRow(requests.map(fill), bare)).map(seen)
  // A proxy that is not content with its credentials speaks for itself, not for the server.
  const seen = (outcome: Outcome): Outcome =>
    dials.forwarded && outcome.kind === 'answer' && outcome.answer.status === 407
      ? {
          kind: 'failure',
          failure: 'unreachable',
          status: 407,
          detail: `the proxy ${proxy?.origin} asks for credentials (407): give them in its URL`,
          ms: outcome.ms,
        }
      : outcome
  const fillText = (text: string): string => fillRaw(text, base, token, access.headers)
  const wired = { dial: dials.direct, fill: fillText, timeoutMs }
  let interim = false
  return {
    send: async request => {
      if (request.raw !== undefined) {
        await turn()
        return sendRaw(request.raw, wired)
      }
      // undici gives every POST a Content-Length, so a request without a body goes the other way.
      if (!interim && (request.body !== null || request.method === 'GET')) {
        await turn()
        const outcome = await pooled.send(fill(request))
        // An interim answer that was not asked for (RFC 9110 15.2) is lawful, but undici gives up on it.
        interim = outcome.kind === 'failure' && outcome.detail === 'bad response'
        if (!interim) return seen(outcome)
      }
      return (await inRow([request]))[0] as Outcome
    },
    sendInRow: inRow,
    sent: () => sent,
    close: pooled.close,
  }
}
