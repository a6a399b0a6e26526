import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Copy, createCopy } from './copy.ts'
import { trailersOf } from './fields.ts'

/** The body of a response on its way to the client. */
export type ReceivedBody = {
  readonly copy: Copy
  /** Resolves at its end, or when the server is gone before (false). */
  readonly ended: Promise<boolean>
  /** Resolves when it has ended, or is too large to be held. */
  readonly held: Promise<boolean>
  /** Sends it, from its beginning on. */
  readonly sendTo: (response: ServerResponse, stalledMs: number) => void
}

/** Begins to read the body of a response. It is held until `sendTo` is called, and no more of it than `maxBytes`. */
export const createReceivedBody = (incoming: IncomingMessage, maxBytes: number): ReceivedBody => {
  const copy = createCopy(maxBytes)
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  const { promise: overflow, resolve: overflowed } = Promise.withResolvers<boolean>()
  let waiting: Buffer[] = []
  let write: ((chunk: Buffer) => void) | null = null
  incoming.on('data', (chunk: Buffer) => {
    copy.add(chunk)
    if (write !== null) {
      write(chunk)
      return
    }
    waiting.push(chunk)
    if (!copy.isTooLarge()) return
    incoming.pause()
    overflowed(false)
  })
  incoming.on('end', () => resolve(incoming.complete))
  incoming.on('close', () => resolve(incoming.complete))
  incoming.on('error', () => resolve(false))
  return {
    copy,
    ended,
    held: Promise.race([ended, overflow]),
    sendTo: (response, stalledMs) => {
      const { socket } = response.req
      const resume = (): void => {
        socket.setTimeout(0)
        incoming.resume()
      }
      write = chunk => {
        if (response.destroyed || response.write(chunk)) return
        incoming.pause()
        socket.setTimeout(stalledMs)
      }
      response.on('drain', resume)
      for (const chunk of waiting) write(chunk)
      waiting = []
      if (!response.writableNeedDrain) incoming.resume()
      void ended.then(isWhole => {
        if (!isWhole) {
          // The client learns of it the same way.
          if (!response.destroyed) socket.destroySoon()
          return
        }
        const trailers = trailersOf(incoming.rawTrailers)
        if (trailers.length > 0 && response.chunkedEncoding) response.addTrailers(trailers)
        response.end()
      })
    },
  }
}
