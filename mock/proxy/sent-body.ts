import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Copy, createCopy } from './copy.ts'
import { trailersOf } from './fields.ts'

/** The body of a request on its way to the server. */
export type SentBody = {
  readonly copy: Copy
  readonly hasBody: boolean
  /** Whether it was read to its end. */
  readonly isWhole: () => boolean
  /** Resolves at its end, or when the client is gone before (false). */
  readonly ended: Promise<boolean>
  /** Sends it, from its beginning on. */
  readonly sendTo: (outgoing: ClientRequest) => void
}

/** Begins to read the body of a request. Without an `outgoing`, it only fills the copy. */
export const createSentBody = (request: IncomingMessage, maxBytes: number): SentBody => {
  const { 'content-length': length, 'transfer-encoding': encoding, expect } = request.headers
  const hasBody = length !== undefined || encoding !== undefined
  const copy = createCopy(maxBytes)
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  let isWhole = !hasBody
  let to: ClientRequest | null = null
  const end = (outgoing: ClientRequest): void => {
    const trailers = trailersOf(request.rawTrailers)
    if (trailers.length > 0) outgoing.addTrailers(trailers)
    outgoing.end()
  }
  if (isWhole) resolve(true)
  request.on('data', (chunk: Buffer) => {
    copy.add(chunk)
    if (to?.write(chunk) === false && !to.destroyed) request.pause()
  })
  request.on('end', () => {
    if (!isWhole && to !== null) end(to)
    isWhole = true
    resolve(true)
  })
  request.on('close', () => resolve(isWhole))
  // A client that is gone needs no answer.
  request.on('error', () => resolve(false))
  return {
    copy,
    hasBody,
    isWhole: () => isWhole,
    ended,
    sendTo: outgoing => {
      to = outgoing
      for (const chunk of copy.chunks()) outgoing.write(chunk)
      if (isWhole) {
        end(outgoing)
        return
      }
      outgoing.on('drain', () => request.resume())
      // What no longer takes the body must not keep the client from sending it.
      outgoing.on('close', () => request.resume())
      const flush = (): void => {
        if (!outgoing.writableEnded && !outgoing.destroyed) outgoing.flushHeaders()
      }
      // Head and body go together, unless the body does not come at once.
      if (expect !== undefined) flush()
      else setImmediate(() => copy.chunks().length === 0 && flush())
    },
  }
}
