import type { Agent, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { announcesNoContent, type HttpRequest, type Outcome, statusOf } from '../../../spec/index.ts'
import { collectResponse, headerPairs, limits, type Reading } from './collect-response.ts'
import { type Connect, http } from './connect.ts'

export type RowOptions = {
  readonly host: string
  readonly connect: Connect
  readonly reading: Reading
  readonly idle: IdlePolicy
  /** Settles when the next request may be sent. */
  readonly turn: () => Promise<void>
}

/**
 * Sends by node:http what undici does not: requests that follow each other on one connection, as long as the server keeps it open,
 * and requests without a body of methods such as DELETE.
 */
export const sendInRow = async (
  requests: readonly HttpRequest[],
  options: RowOptions,
): Promise<readonly Outcome[]> => {
  const { connect, idle, turn } = options
  const agent = agentOf(connect)
  const outcomes: Outcome[] = []
  let since = performance.now()
  try {
    for (const request of requests) {
      await turn()
      if (outcomes.length > 0) await idle.rested(since)
      const idleMs = performance.now() - since
      const { outcome, isStale } = await sendOn(agent, request, options)
      // Many servers end a connection without a word after an error that nothing caught.
      const isAfterError = outcomes.some(before => (statusOf(before) ?? 0) >= 500)
      const isExcused = isStale && (isAfterError || idle.excuses(idleMs))
      outcomes.push(isExcused ? (await sendOn(agent, request, options)).outcome : outcome)
      since = performance.now()
    }
  } finally {
    agent.destroy()
  }
  return outcomes
}

const agentOf = (connect: Connect): Agent => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = (_options, callback) => {
    connect().then(
      socket => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as unknown as Socket),
    )
    return undefined
  }
  return agent
}

/** `isStale`: the connection had been used before, and ended without a byte of a response. */
type Sent = { readonly outcome: Outcome; readonly isStale: boolean }

const sendOn = (
  agent: Agent,
  { method, target, headers, body, chunked }: HttpRequest,
  { host, reading }: RowOptions,
): Promise<Sent> =>
  new Promise(resolve => {
    let socket: Socket | null = null
    let bytesBefore = 0
    const outgoing = http.request({
      method,
      path: target,
      agent,
      setHost: false,
      maxHeaderSize: limits.headBytes,
      insecureHTTPParser: false,
    })
    const done = (outcome: Outcome): void => {
      // Over TLS the end of a connection has bytes of its own.
      const isUntouched = socket !== null && (socket.bytesRead === bytesBefore || 'encrypted' in socket)
      const isReset = outcome.kind === 'failure' && outcome.failure === 'reset' && outcome.status === null
      resolve({ outcome, isStale: outgoing.reusedSocket && isReset && isUntouched })
    }
    let incoming: IncomingMessage | null = null
    const collector = collectResponse({
      ...reading,
      pause: () => incoming?.pause(),
      resume: () => incoming?.resume(),
      abort: error => outgoing.destroy(error),
      done,
    })
    // Their size is limited already; the collector checks their number.
    outgoing.maxHeadersCount = 0
    outgoing.on('socket', used => {
      socket = used
      bytesBefore = used.bytesRead
      collector.connected()
    })
    outgoing.on('response', response => {
      incoming = response
      collector.head(response.statusCode ?? 0, headerPairs(response.rawHeaders))
      response.on('data', (chunk: Buffer) => collector.data(chunk))
      response.on('error', collector.fail)
      response.on('end', collector.end)
    })
    outgoing.on('information', collector.interim)
    outgoing.on('upgrade', (_response, upgraded) => {
      collector.fail(new Error('bad upgrade'))
      upgraded.destroy()
    })
    outgoing.on('close', () => collector.fail(new Error('the connection ended without a response')))
    outgoing.on('error', collector.fail)
    outgoing.setHeader('Host', host)
    for (const [name, value] of headers) outgoing.appendHeader(name, value)
    if (body === null) {
      // Node would announce chunks.
      outgoing.removeHeader('transfer-encoding')
      if (announcesNoContent({ method, body })) outgoing.setHeader('Content-Length', 0)
      else outgoing.removeHeader('content-length')
      outgoing.end()
      return
    }
    if (chunked) {
      // Without this Node announces the length of a body that it gets in one piece.
      outgoing.setHeader('Transfer-Encoding', 'chunked')
      for (const part of splitInTwo(body)) outgoing.write(part)
      outgoing.end()
      return
    }
    outgoing.setHeader('Content-Length', body.length)
    outgoing.end(body)
  })

/** A connection that was idle for less is not one that the server gave up, unless it ends connections on purpose. */
const shortIdleMs = 50
/** This often it may be chance all the same. */
const chances = 3
/** The end of a connection that comes with a response arrives within this time of it. */
const restMs = 10

/**
 * What it means that a used connection ends without a byte of a response. A server may close an idle connection at any time (RFC
 * 9112 9.5), also while the next request is on its way: from here that looks like a dropped request. If it happens again and again
 * after hardly any time, connections rest before they are used again: then ends that come with a response are noticed in time, and
 * those that still come show dropped requests.
 */
export type IdlePolicy = {
  /** Whether to overlook the end of a connection that was idle for this long. */
  readonly excuses: (idleMs: number) => boolean
  /** Settles when a connection whose last response came at this time (of `performance.now`) may be used again; null: at once. */
  readonly rested: (since: number) => Promise<void> | null
}

export const createIdlePolicy = (): IdlePolicy => {
  let left = chances
  return {
    excuses: idleMs => {
      if (idleMs >= shortIdleMs) return true
      left -= 1
      // A request without rest was sent before connections had to rest.
      return left >= 0 || idleMs < restMs
    },
    rested: since => {
      const wait = left > 0 ? 0 : since + restMs + 1 - performance.now()
      return wait <= 0 ? null : new Promise(resolve => setTimeout(resolve, wait))
    },
  }
}

const largeBytes = 65_536

/** Whether a server may reject a request before it has read all of it: what is larger does not fit into a connection's buffers. */
export const isLarge = ({ body }: HttpRequest): boolean => (body?.length ?? 0) >= largeBytes

/** A body in two parts, so that a chunked one has more than one chunk. */
export function* splitInTwo(body: Uint8Array): Generator<Uint8Array> {
  const half = Math.ceil(body.length / 2)
  yield body.subarray(0, half)
  if (half < body.length) yield body.subarray(half)
}
