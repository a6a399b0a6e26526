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
