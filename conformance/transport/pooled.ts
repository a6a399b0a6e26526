import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Client } from 'undici'
import type { Outcome, Request } from '../../spec/index.ts'
import { type Dial, troubleOf } from './dial.ts'
import { gather, limits, pairs } from './gather.ts'
import type { Stale } from './stale.ts'

/** A connection that is kept open, and what is known of it. */
type Line = {
  readonly client: Client
  socket: Socket | null
  connected: () => void
  /** Answers that came over the socket, and its bytes when the last of them was whole. */
  answers: number
  bytes: number
  /** When the last of them was whole, and how long nothing was sent after that. */
  since: number
  idleMs: number
}

export type Pooled = {
  readonly send: (request: Request) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/** The bulk of the requests, over as many connections as there are requests in flight. */
export const createPooled = (base: URL, dial: Dial, timeoutMs: number, stale: Stale): Pooled => {
  const lines = new Set<Line>()
  const idle: Line[] = []
  const open = (): Line => {
    const client = new Client(base.origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: limits.headBytes,
      connect: (_options, callback) => {
        dial().then(
          socket => {
            Object.assign(line, { socket, answers: 0, bytes: 0 })
            line.connected()
            callback(null, socket)
          },
          (error: Error) => callback(error, null),
        )
      },
    })
    const line: Line = {
      client,
      socket: null,
      connected: () => {},
      answers: 0,
      bytes: 0,
      since: 0,
      idleMs: 0,
    }
    lines.add(line)
    return line
  }
  const drop = (line: Line): void => {
    lines.delete(line)
    line.client.destroy().catch(() => {})
  }
  const sendOver = async (line: Line, request: Request): Promise<Outcome> => {
    line.idleMs = performance.now() - line.since
    const outcome = await exchange(line, request, timeoutMs)
    if (outcome.kind === 'failure') {
      drop(line)
      return outcome
    }
    if (isSurplus(line)) {
      drop(line)
      const { status } = outcome.answer
      const detail = 'more bytes came than the answer announced'
      return { kind: 'failure', failure: 'malformed', status, detail, ms: outcome.ms }
    }
    line.answers += 1
    line.since = performance.now()
    line.bytes = line.socket?.bytesRead ?? 0
    idle.push(line)
    return outcome
  }
  return {
    send: async request => {
      const line = idle.pop() ?? open()
      if (line.answers > 0) await stale.rested(line.since)
      const outcome = await sendOver(line, request)
      return isStale(line, outcome) && stale.excuse(line.idleMs) ? sendOver(open(), request) : outcome
    },
    close: async () => {
      await Promise.all([...lines].map(({ client }) => client.destroy()))
    },
  }
}

/** What follows an answer in the same bytes, and belongs to none, makes undici end the connection at once. */
const isSurplus = ({ socket }: Line): boolean => socket?.errored?.message === 'bad response'

/** A used connection that ended without a byte of an answer, or with a 408 (RFC 9110 15.5.9): see `stale.ts`. */
const isStale = ({ socket, answers, bytes }: Line, outcome: Outcome): boolean => {
  if (outcome.kind === 'answer') return answers > 1 && outcome.answer.status === 408
  // Over TLS the end of the connection has bytes of its own.
  const untouched = socket?.bytesRead === bytes || (socket !== null && 'encrypted' in socket)
  return answers > 0 && outcome.failure === 'reset' && outcome.status === null && untouched
}

const exchange = (line: Line, request: Request, timeoutMs: number): Promise<Outcome> =>
  new Promise(done => {
    const { method, target, headers, body, chunked } = request
    const answer = gather({
      timeoutMs,
      cut: error => line.client.destroy(error).catch(() => {}),
      done,
    })
    line.connected = answer.connected
    if (line.socket !== null) answer.connected()
    line.client.dispatch(
      {
        method: method as 'POST',
        path: target,
        headers: headers.flat(),
        body: body === null ? null : chunked ? Readable.from(chunks(body)) : body,
      },
      {
        onRequestStart: () => {},
        onResponseStart: ({ rawHeaders }, status) => {
          if (status < 200) answer.interim()
          else answer.head(status, pairs((rawHeaders ?? []) as Buffer[]))
        },
        onResponseData: (_controller, chunk) => answer.data(chunk),
        onResponseEnd: () => {
          // What follows in the same bytes is read first.
          queueMicrotask(answer.end)
        },
        onResponseError: (_controller, error) => answer.fail(troubleOf(line.socket) ?? error),
      },
    )
  })

async function* chunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const half = Math.ceil(body.length / 2)
  yield body.subarray(0, half)
  if (half < body.length) yield body.subarray(half)
}
