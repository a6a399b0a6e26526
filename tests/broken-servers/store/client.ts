import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { SentRequest, Witness } from './model.ts'

export type Outcome =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly type: string | undefined
      readonly encoding: string | undefined
      readonly retryAfter: string | undefined
      readonly body: Buffer
    }
  | { readonly kind: 'silence' }
  | { readonly kind: 'failure'; readonly code: string }

export type Client = {
  readonly send: (sent: SentRequest) => Promise<Outcome>
  /** The same on a new connection. */
  readonly sendAnew: (sent: SentRequest) => Promise<Outcome>
  readonly close: () => void
}

/** Sends raw requests; every outcome is data. `patience`: milliseconds that a request may take on its connection. */
export const openClient = (url: string, sockets: number, patience: number): Client => {
  const pooled = new Agent({ keepAlive: true, maxSockets: sockets, scheduling: 'fifo' })
  const send = (sent: SentRequest, agent: Agent | false): Promise<Outcome> =>
    new Promise(settle => {
      const outgoing = request(new URL(sent.path, url), {
        agent,
        method: sent.method,
        headers: {
          ...sent.headers,
          ...(sent.chunked ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) }),
        },
      })
      let giveUp: NodeJS.Timeout | undefined
      outgoing.once('socket', () => {
        giveUp = setTimeout(() => {
          settle({ kind: 'silence' })
          outgoing.destroy()
        }, patience)
      })
      const end = (outcome: Outcome) => {
        clearTimeout(giveUp)
        settle(outcome)
      }
      const fail = (error: NodeJS.ErrnoException) => end({ kind: 'failure', code: error.code ?? 'ERROR' })
      outgoing.once('error', fail)
      outgoing.once('response', response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', fail)
        response.once('end', () =>
          end({
            kind: 'response',
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            encoding: response.headers['content-encoding'],
            retryAfter: response.headers['retry-after'],
            body: Buffer.concat(chunks),
          }),
        )
      })
      if (sent.chunked) {
        const half = Math.floor(sent.body.length / 2)
        outgoing.write(sent.body.slice(0, half))
        outgoing.addTrailers(sent.trailers ?? {})
        outgoing.end(sent.body.slice(half))
      } else {
        outgoing.end(sent.body)
      }
    })
  return {
    send: sent => send(sent, pooled),
    sendAnew: sent => send(sent, false),
    close: () => pooled.destroy(),
  }
}

/** Sends the requests in order; the outcomes come in the same order. */
export async function* exchange(
  url: string,
  { requests, inFlight, pause = 0 }: Witness,
  patience: number,
): AsyncGenerator<Outcome> {
  const client = openClient(url, inFlight, patience)
  try {
    for (let start = 0; start < requests.length; start += inFlight) {
      if (pause > 0) await delay(pause)
      yield* await Promise.all(requests.slice(start, start + inFlight).map(client.send))
    }
  } finally {
    client.close()
  }
}
