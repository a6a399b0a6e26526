import {
  announcesNoContent,
  fillRaw,
  type HttpRequest,
  type Outcome,
  RequestHookError,
  type RunWatch,
  type ServerCertificate,
} from '../../../spec/index.ts'
import { verifyDefaults } from '../../defaults.ts'
import { type Blockage, createBlockage } from './blockage.ts'
import { createConnectors } from './connect.ts'
import { isHanging } from './failure.ts'
import { createIdlePolicy, sendInRow } from './node-http.ts'
import { createOutgoing, type OutgoingOptions } from './outgoing.ts'
import { createLasting, createPace, type Lasting, type Pace } from './pace.ts'
import { createPool } from './pool.ts'
import { sendRaw } from './raw.ts'
import type { Stalls } from './stalls.ts'
import { createTimeLimit } from './time-limit.ts'
import { createLargeSlots, createWindow } from './window.ts'

/** How long the server has for a question whether it answers: as long each time, whatever has hung before. */
const questionTime = { ...createTimeLimit(2000), hung: () => {} }

/** Stands in for a token if none is known: well-formed, and nobody's. */
export const madeUpToken = 'plantstore-made-up-token'

export type Transport = {
  /** Sends on any of the pooled connections. `onSend`: called when its turn has come. */
  readonly send: (request: HttpRequest, onSend?: () => void) => Promise<Outcome>
  /** Sends one after the other on a connection that they share, as long as the server keeps it open. */
  readonly sendInRow: (requests: readonly HttpRequest[]) => Promise<readonly Outcome[]>
  readonly pace: Pace
  readonly lasting: Lasting
  /** How many requests may be in flight now. */
  readonly limit: () => number
  readonly stalls: Stalls
  readonly blockage: Blockage
  /** Requests sent so far. */
  readonly sent: () => number
  /** The certificates that the server has shown so far; none without TLS. */
  readonly certificates: () => readonly ServerCertificate[]
  readonly close: () => Promise<void>
}

const expects = ({ headers }: HttpRequest): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'expect')

export type TransportOptions = OutgoingOptions & {
  /** Why a request must not be sent; null if it may be. Default: all may. */
  readonly gate?: (request: HttpRequest) => string | null
  /** Requests in flight, at most. Default: as of a run. */
  readonly concurrency?: number
  /** Looks on; null: nobody does. */
  readonly watch?: RunWatch | null
}

/**
 * Sends requests to one server and no other. A redirect is a response like any other: it is not followed. Throws for a request that the
 * gate refuses: whoever sends has to ask it first, so nothing that is left out can reach the server.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const { target, token, timeoutMs, proxy, gate = () => null } = options
  const connectors = createConnectors(target, options)
  const idle = createIdlePolicy()
  const timeLimit = createTimeLimit(timeoutMs)
  const reading = { timeLimit, slots: createLargeSlots() }
  const pool = createPool(target, connectors.usual, reading, idle)
  const pace = createPace(options.rate)
  const lasting = createLasting()
  const ready = createOutgoing(options, connectors.forwarded)
  let sent = 0
  const turn = (): Promise<void> => {
    sent += 1
    return pace.turn()
  }
  /** What nobody listened to was not sent. */
  const counted = (outcome: Outcome): Outcome => {
    if (outcome.kind === 'failure' && (outcome.failure === 'refused' || outcome.failure === 'unreachable'))
      sent -= 1
    return outcome
  }
  const row = { host: target.host, connect: connectors.usual, reading, idle, turn }
  const raw = {
    connect: connectors.direct,
    fill: (text: string): string => fillRaw(text, target, token, options.headers),
    timeLimit,
  }
  // A proxy that rejects its credentials speaks for itself, not for the server.
  const fromServer = (outcome: Outcome): Outcome =>
    connectors.forwarded && outcome.kind === 'response' && outcome.response.status === 407
      ? {
          kind: 'failure',
          failure: 'unreachable',
          status: 407,
          detail: `the proxy ${proxy?.origin} requires credentials (407): give them in its URL`,
          ms: outcome.ms,
        }
      : outcome
  const check = (request: HttpRequest): void => {
    const refusal = gate(request)
    if (refusal !== null) throw new Error(`a request that is left out was about to be sent: ${refusal}`)
  }
  const inRow = async (
    requests: readonly HttpRequest[],
    onSend: () => void = () => {},
  ): Promise<readonly Outcome[]> => {
    const inTurn = { ...row, turn: () => turn().then(onSend) }
    return (await sendInRow(await Promise.all(requests.map(ready)), inTurn)).map(counted).map(fromServer)
  }
  const window = createWindow(options.concurrency ?? verifyDefaults.concurrency, undefined, timeLimit.paused)
  /**
   * Sends within the limit of requests in flight; `shown`: the outcome by which the window learns. `isTelling`: it shows how fast the server is,
   * and not only whether it hangs.
   */
  const within = async <T>(
    send: () => Promise<T>,
    shown: (sent: T) => Outcome | null,
    of: string,
    isTelling: boolean,
  ): Promise<T> => {
    await window.enter()
    let outcome: Outcome | null = null
    try {
      const sent = await send()
      outcome = shown(sent)
      return sent
    } finally {
      window.leave(outcome, of, isTelling && (outcome === null || !lasting.is(outcome)))
    }
  }
  /** A request that could not be signed is not sent, and the run says why. */
  const unsigned = (error: unknown): Outcome => {
    if (!(error instanceof RequestHookError)) throw error
    return { kind: 'failure', failure: 'unreachable', status: null, detail: error.message, ms: 0 }
  }
  const asking = createPool(target, connectors.usual, { ...reading, timeLimit: questionTime }, idle)
  const blockage = createBlockage(
    async request => {
      await turn()
      return ready(request).then(asking.send).then(counted, unsigned).then(fromServer)
    },
    timeLimit.current,
    { onDoubt: timeLimit.paused, onHang: request => window.hangsAlone(kindOf(request)) },
    options.watch?.sending,
  )
  let hasInterim = false
  const sendOne = async (request: HttpRequest, onSend?: () => void): Promise<Outcome> => {
    // undici sends no Expect.
    const isForUndici =
      (request.body !== null || request.method === 'GET' || announcesNoContent(request)) && !expects(request)
    if (!hasInterim && isForUndici) {
      await turn()
      onSend?.()
      const outcome = counted(await pool.send(await ready(request)))
      // A server may send interim responses (RFC 9110 15.2), but undici gives up on one that it did not ask for.
      hasInterim = outcome.kind === 'failure' && outcome.detail === 'bad response'
      if (!hasInterim) return fromServer(outcome)
    }
    return (await inRow([request], onSend))[0] as Outcome
  }
  return {
    send: async (request, onSend) => {
      check(request)
      const { raw: bytes } = request
      if (bytes !== undefined)
        return within(
          () =>
            blockage.watched([request], async () => {
              await turn()
              return counted(await sendRaw(bytes, raw))
            }),
          outcome => (isHanging(outcome) ? outcome : null),
          // A server that hangs on one request which is written in an unusual way hangs on it whatever it asks for.
          'raw',
          false,
        )
      return within(
        () => blockage.watched([request], () => sendOne(request, onSend).catch(unsigned)),
        outcome => outcome,
        kindOf(request),
        true,
      )
    },
    sendInRow: async requests => {
      requests.forEach(check)
      return within(
        () =>
          blockage.watched(requests, () =>
            inRow(requests).catch(error => requests.map(() => unsigned(error))),
          ),
        outcomes => outcomes.find(isHanging) ?? null,
        requests.map(kindOf).join(' '),
        false,
      )
    },
    pace,
    lasting,
    limit: window.limit,
    stalls: window.stalls,
    blockage,
    sent: () => sent,
    certificates: connectors.certificates,
    close: async () => {
      await Promise.all([pool.close(), asking.close()])
      connectors.close()
    },
  }
}

/** What a request asks for, as far as that tells how long it takes: its method and path without what may be names. */
const kindOf = ({ method, target }: HttpRequest): string =>
  `${method} ${target.replace(/[?#].*$/s, '').replace(/[^/]*(?:\d|%|[^/]{24})[^/]*/g, '*')}`
