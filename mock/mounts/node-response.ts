import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fault, isBodiless, type MockResponse } from '../engine/mock-response.ts'
import { headersWithLength } from './fetch-response.ts'

/** Writes a response by means of a server that is not the mock's own, HTTP/1.1 or HTTP/2, or fails to as `fault` says. */
export const sendNode = async (
  made: MockResponse,
  fault: Fault | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  // The server ends it when the client is gone.
  if (fault === 'hang') return
  if (fault === 'reset') {
    reset(response)
    return
  }
  response.statusCode = made.status
  const headers = headersWithLength(made, fault)
  // What middleware before the mock has set (X-Powered-By, say) stays, but for what the mock sets itself.
  for (const [name] of headers) response.removeHeader(name)
  for (const [name, value] of headers) response.appendHeader(name, value)
  // What is left of a body that is too large is not kept.
  request.resume()
  if (request.method === 'HEAD' || isBodiless(made.status)) response.end()
  else if (made.stream !== undefined) await writeStream(made.body, made.stream, response)
  else if (fault === 'truncate') cutShort(made.body, response)
  else response.end(made.body)
}

/** Closes the connection with RST; of TLS and of HTTP/2 only what this request has of it. */
const reset = (response: ServerResponse): void => {
  const { socket, httpVersionMajor } = response.req
  if (httpVersionMajor < 2 && !('encrypted' in socket)) socket.resetAndDestroy()
  else response.destroy()
}

const cutShort = (body: Uint8Array, response: ServerResponse): void => {
  response.write(body.subarray(0, body.length >> 1), () => response.destroy())
}

const writeStream = async (
  body: Uint8Array,
  stream: AsyncIterable<Uint8Array>,
  response: ServerResponse,
): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]()
  response.once('close', () => void iterator.return?.())
  response.flushHeaders()
  if (body.length > 0) response.write(body)
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true || response.destroyed) break
    // Waits for a client that reads too slowly, so that no more than one chunk is held for it.
    if (response.write(value)) continue
    await new Promise(resolve => response.once('drain', resolve).once('close', resolve))
  }
  response.end()
}
