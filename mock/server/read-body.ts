import type { IncomingMessage } from 'node:http'
import { createGrowingBytes } from '../../spec/index.ts'

/**
 * Reads a body up to a limit, and stops as soon as it is known to be larger (`tooLarge`). Null: there is no body. `done` is
 * not called if the client disconnects before the end of the body. `isFramed`: there may be a body without a header that says
 * so, as in HTTP/2.
 */
export const readBody = (
  request: IncomingMessage,
  maxBodyBytes: number,
  done: (body: Uint8Array | null, tooLarge: boolean) => void,
  isFramed = false,
): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined && !isFramed) {
    done(null, false)
    return
  }
  if (Number(length) > maxBodyBytes) {
    done(null, true)
    return
  }
  const body = createGrowingBytes()
  body.expect(Number(length) || 0)
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
