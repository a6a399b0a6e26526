import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { trailersOf } from './fields.ts'

/** The body of a response on its way to the client. */
export type ReceivedBody = {
  readonly copy: Copy
  /** Resolves at its end, or when the server is gone before (false). */
  readonly ended: Promise<boolean>
  /** Resolves when it has ended, or is too large to be held. */
  readonly held: Promise<boolean>
  /** Sends it, from its beginning on. Resolves at its end, or when the server is gone before (false). */
  readonly sendTo: (response: ServerResponse, stalledMs: number) => Promise<boolean>
}

/** Begins to read the body of a response. It is held until `sendTo` is called, and no more of it than `maxBytes`. */
export const createReceivedBody = (incoming: IncomingMessage, maxBytes: number): ReceivedBody => {
  const copy = createCopy(maxBytes)
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  const { promise: overflow, resolve: overflowed } = Promise.withResolvers<boolean>()
  const waiting: Buffer[] = []
  let send: (() => void) | null = null
  incoming.on('data', (chunk: Buffer) => {
    copy.add(chunk)
    waiting.push(chunk)
    if (send !== null) send()
    else if (copy.isTooLarge()) {
      incoming.pause()
      overflowed(false)
    }
  })
  incoming.on('end', () => resolve(incoming.complete))
  incoming.on('close', () => resolve(incoming.complete))
  incoming.on('error', () => resolve(false))
  return {
    copy,
    ended,
    held: Promise.race([ended, overflow]),
    sendTo: (response, stalledMs) => {
      const { promise: sent, resolve: resolveSent } = Promise.withResolvers<boolean>()
      const { socket } = response.req
      const resume = (): void => {
        socket.setTimeout(0)
        incoming.resume()
      }
      const pass = (chunk: Buffer): void => {
        if (response.destroyed || response.write(chunk)) return
        incoming.pause()
        socket.setTimeout(stalledMs)
      }
      const end = (isWhole: boolean): void => {
        resolveSent(isWhole)
        if (!isWhole) {
          // The client learns of it the same way.
          if (!response.destroyed) socket.destroySoon()
          return
        }
        const trailers = trailersOf(incoming.rawTrailers)
        if (trailers.length > 0 && response.chunkedEncoding) response.addTrailers(trailers)
        response.end()
      }
      let outcome: boolean | null = null
      const passAll = inTime(() => {
        // A head whose body does not come at once goes alone.
        if (waiting.length === 0 && outcome === null && !response.destroyed) response.flushHeaders()
        for (const chunk of waiting.splice(0)) pass(chunk)
        if (outcome !== null) end(outcome)
      })
      response.on('drain', resume)
      send = passAll
      passAll()
      if (!response.writableNeedDrain) incoming.resume()
      void ended.then(isWhole => {
        outcome = isWhole
        passAll()
      })
      return sent
    },
  }
}

/** How long what comes from the server is held: it takes a server one turn of its event loop to close what it has answered on. */
const turns = 3

/**
 * Calls it once for all calls within a few turns of the event loop. If the server closes its connection right behind its last
 * bytes, that is known by then: the client's is closed right behind them as well, before another request comes.
 */
const inTime = (act: () => void): (() => void) => {
  let isPlanned = false
  const wait = (left: number): void => {
    if (left > 0) setImmediate(wait, left - 1)
    else {
      isPlanned = false
      act()
    }
  }
  return () => {
    if (isPlanned) return
    isPlanned = true
    wait(turns)
  }
}

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

/** The copy of a body that goes through; it never has more than the limit. */
type Copy = {
  readonly add: (chunk: Uint8Array) => void
  /** The chunks so far, whole as long as the body is not too large. */
  readonly chunks: () => readonly Uint8Array[]
  /** The bytes; the first chunk alone if the body is too large. */
  readonly bytes: () => Uint8Array
  readonly isTooLarge: () => boolean
}

const createCopy = (maxBytes: number): Copy => {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    add: chunk => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      // What is not judged need not be held.
      else if (chunks.length > 1) chunks = chunks.slice(0, 1)
    },
    chunks: () => chunks,
    bytes: () => (chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)),
    isTooLarge: () => size > maxBytes,
  }
}
