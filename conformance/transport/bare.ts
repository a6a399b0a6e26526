import { Agent, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Outcome, Request } from '../../spec/index.ts'
import type { Dial } from './dial.ts'
import { gather, limits, pairs } from './gather.ts'
import type { Stale } from './stale.ts'

export type Bare = {
  readonly host: string
  readonly dial: Dial
  readonly timeoutMs: number
  readonly stale: Stale
  /** Settles when the next request may be sent. */
  readonly turn: () => Promise<void>
}

/**
 * What a well-behaved client does not send, by node:http: one after the other on one connection of their own, as far
 * as the server keeps it open.
 */
export const sendInRow = async (requests: readonly Request[], bare: Bare): Promise<readonly Outcome[]> => {
  const agent = agentOf(bare.dial)
  const outcomes: Outcome[] = []
  let since = performance.now()
  try {
    for (const request of requests) {
      await bare.turn()
      if (outcomes.length > 0) await bare.stale.rested(since)
      const idleMs = performance.now() - since
      const { outcome, stale } = await sendBare(request, agent, bare)
      outcomes.push(
        stale && bare.stale.excuse(idleMs) ? (await sendBare(request, agent, bare)).outcome : outcome,
      )
      since = performance.now()
    }
  } finally {
    agent.destroy()
  }
  return outcomes
}

const agentOf = (dial: Dial): Agent => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = (_options, callback) => {
    dial().then(
      socket => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as unknown as Socket),
    )
    return undefined
  }
  return agent
}

/** `stale`: the connection had been used before and ended without a byte of an answer. */
type Sent = { readonly outcome: Outcome; readonly stale: boolean }

const sendBare = (
  { method, target, headers, body, chunked }: Request,
  agent: Agent,
  { host, timeoutMs }: Bare,
): Promise<Sent> =>
  new Promise(resolve => {
    let socket: Socket | null = null
    let before = 0
    const done = (outcome: Outcome): void => {
      const { reusedSocket } = outgoing
      const untouched = socket?.bytesRead === before || (socket !== null && 'encrypted' in socket)
      const reset = outcome.kind === 'failure' && outcome.failure === 'reset' && outcome.status === null
      resolve({ outcome, stale: reusedSocket && reset && untouched })
    }
    const outgoing = httpRequest({
      method,
      path: target,
      agent,
      setHost: false,
      maxHeaderSize: limits.headBytes,
      insecureHTTPParser: false,
    })
    const answer = gather({
      timeoutMs,
      cut: error => outgoing.destroy(error),
      done,
    })
    // The size bounds them; their number is looked at when they are there.
    outgoing.maxHeadersCount = 0
    outgoing.on('socket', given => {
      socket = given
      before = given.bytesRead
      answer.connected()
    })
    outgoing.on('response', response => {
      answer.head(response.statusCode ?? 0, pairs(response.rawHeaders))
      response.on('data', (part: Buffer) => answer.data(part))
      response.on('error', answer.fail)
      response.on('end', answer.end)
    })
    outgoing.on('information', answer.interim)
    outgoing.on('upgrade', (_response, given) => {
      answer.fail(new Error('bad upgrade'))
      given.destroy()
    })
    outgoing.on('close', () => answer.fail(new Error('the connection ended without an answer')))
    outgoing.on('error', answer.fail)
    outgoing.setHeader('Host', host)
    for (const [name, value] of headers) outgoing.appendHeader(name, value)
    if (body === null) {
      // No body at all: neither a length nor chunks are announced.
      outgoing.removeHeader('content-length')
      outgoing.removeHeader('transfer-encoding')
      outgoing.end()
    } else if (chunked) outgoing.end(body)
    else {
      outgoing.setHeader('Content-Length', body.length)
      outgoing.end(body)
    }
  })
