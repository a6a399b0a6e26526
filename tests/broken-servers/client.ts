import { Agent, request } from 'node:http'
import type { Sent, Witness } from './model.ts'

export type Received =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly type: string | undefined
      readonly encoding: string | undefined
      readonly retryAfter: string | undefined
      readonly body: Buffer
    }
  | { readonly kind: 'silence' }
  | { readonly kind: 'failure'; readonly code: string }

interface Client {
  readonly send: (sent: Sent) => Promise<Received>
  readonly close: () => void
}

/** A client that sends what it is told, and takes whatever comes as data. */
export const openClient = (url: string, sockets: number, patience: number): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, scheduling: 'fifo' })
  const send = (sent: Sent): Promise<Received> =>
    new Promise(settle => {
      const outgoing = request(new URL(sent.path, url), {
        agent,
        method: sent.method,
        headers: {
          ...sent.headers,
          ...(sent.chunked ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) }),
        },
      })
      const giveUp = setTimeout(() => {
        settle({ kind: 'silence' })
        outgoing.destroy()
      }, patience)
      const end = (received: Received) => {
        clearTimeout(giveUp)
        settle(received)
      }
      const fail = (error: NodeJS.ErrnoException) => end({ kind: 'failure', code: error.code ?? 'ERROR' })
      outgoing.once('error', fail)
      outgoing.once('response', response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', fail)
        response.once('end', () =>
          end({
            kind: 'answer',
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
        outgoing.end(sent.body.slice(half))
      } else {
        outgoing.end(sent.body)
      }
    })
  return { send, close: () => agent.destroy() }
}

/** Sends in order, so many at a time; the answers come in the order of the requests. */
export async function* exchange(
  url: string,
  { sends, together }: Witness,
  patience: number,
): AsyncGenerator<Received> {
  const client = openClient(url, together, patience)
  try {
    for (let start = 0; start < sends.length; start += together) {
      yield* await Promise.all(sends.slice(start, start + together).map(client.send))
    }
  } finally {
    client.close()
  }
}
