import type { IncomingMessage } from 'node:http'
import { createGrowingBytes } from '../../spec/index.ts'
import { noBody } from '../engine/compiled-response.ts'
import { afterParsing } from './turn.ts'

type Done = (body: Uint8Array | null, tooLarge: boolean) => void

/**
 * Reads a body up to a limit, and stops as soon as it is known to be larger (`tooLarge`). Null: there is no body. `done` is
 * not called if the client disconnects before the end of the body. `isFramed`: there may be a body without a header that says
 * so, as in HTTP/2.
 */
export const readBody = (
  request: IncomingMessage,
  maxBodyBytes: number,
  done: Done,
  isFramed = false,
): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined && !isFramed) done(null, false)
  else if (Number(length) > maxBodyBytes) done(null, true)
  else collect(request, maxBodyBytes, done)
}

/**
 * The same for a request that the parser has just begun. Most bodies come in one packet with the head: when the parser is done with
 * that, what is there is read without listeners, which take as long as judging it.
 */
export const readArrivingBody = (request: IncomingMessage, maxBodyBytes: number, done: Done): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) done(null, false)
  else if (Number(length) > maxBodyBytes) done(null, true)
  else if (request.complete) readArrived(request, maxBodyBytes, done)
  else {
    // Node discards the rest of a body that nobody began to read.
    request.read(0)
    afterParsing(() => readArrived(request, maxBodyBytes, done))
  }
}

const readArrived = (request: IncomingMessage, maxBodyBytes: number, done: Done): void => {
  // A body without bytes may have ended by itself; one that was broken off never does.
  if (!request.complete || (request.destroyed && !request.readableEnded)) {
    collect(request, maxBodyBytes, done)
    return
  }
  const body: Uint8Array = request.read() ?? noBody
  if (body.length > maxBodyBytes) done(null, true)
  else done(body, false)
}

const collect = (request: IncomingMessage, maxBodyBytes: number, done: Done): void => {
  const body = createGrowingBytes()
  body.expect(Number(request.headers['content-length']) || 0)
  let size = 0
  const keep = (chunk: Buffer): void => {
    size += chunk.length
    if (size <= maxBodyBytes) {
      body.add(chunk)
      return
    }
    request.off('data', keep)
    request.off('end', end)
    request.pause()
    done(null, true)
  }
  const end = (): void => done(body.whole(), false)
  request.on('data', keep)
  request.on('end', end)
  // Node reports a connection that ended early as an error; there is nobody left to respond to.
  request.on('error', ignore)
}

const ignore = (): void => {}
