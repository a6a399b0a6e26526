import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { latin1 } from '../../spec/index.ts'
import { contentLength, type Fault, isBodiless, type MockResponse } from '../engine/compiled-response.ts'
import { atOnce } from './turn.ts'

export type DeliveryOptions = {
  readonly fault: Fault | null
  /** Whether this is the last response of its connection. */
  readonly isLast: boolean
  /** How long a client may read nothing of the response, in milliseconds. */
  readonly stalledMs: number
}

/** Writes a response to the client, or fails to as `fault` says. */
export const deliver = (
  mockResponse: MockResponse,
  request: IncomingMessage,
  response: ServerResponse,
  { fault, isLast, stalledMs }: DeliveryOptions,
): void => {
  if (fault === 'hang') {
    closeWithClient(request.socket)
    return
  }
  if (fault === 'reset') {
    reset(request.socket)
    return
  }
  const { status, body, stream } = mockResponse
  const headers: string[] = []
  for (const [name, value] of mockResponse.headers) headers.push(name, value)
  if (isLast) headers.push('Connection', 'close')
  const length = contentLength(mockResponse, fault)
  if (length !== null) headers.push('Content-Length', length)
  response.writeHead(status, headers)
  const bytes = isBodiless(status) || request.method === 'HEAD' ? null : body
  if (stream !== undefined && bytes !== null) {
    writeStream(stream, response, stalledMs).catch(() => response.destroy())
    return
  }
  if (fault === 'truncate') {
    const cut = (): void => request.socket.destroySoon()
    // Without a body to cut, nothing is sent at all.
    if (bytes === null || bytes.length === 0) cut()
    else response.write(bytes.subarray(0, bytes.length >> 1), cut)
    return
  }
  if (!isLast) {
    atOnce(() => {
      // One character for each byte: Node writes head and body together only if the body is a string.
      if (bytes === null || bytes.length > maxTogether) response.end(bytes ?? undefined)
      else response.end(latin1(bytes), 'latin1')
      if (request.socket.writableLength > 0) request.socket.setTimeout(stalledMs)
    })
    return
  }
  response.flushHeaders()
  if (bytes !== null && bytes.length > 0) response.write(bytes)
  request.resume()
  lingeringClose(request.socket)
}

const maxTogether = 16 * 1024

// A client that is gone looks the same as one that closed its side only; without a response there is no need to tell them apart.
const closeWithClient = (socket: Socket): void => {
  if (socket.readableEnded) socket.destroy()
  else socket.once('end', () => socket.destroy())
}

/** Closes a connection with RST. Under TLS that takes the socket below it, for which Node has no public name. */
const reset = (socket: Socket): void => {
  const carrier = 'encrypted' in socket ? (socket as { readonly _parent?: Socket })._parent : socket
  if (carrier instanceof Socket) carrier.resetAndDestroy()
  else socket.destroy()
}

const writeStream = async (
  stream: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  stalledMs: number,
): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]()
  response.once('close', () => void iterator.return?.())
  closeWithClient(response.req.socket)
  response.flushHeaders()
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true || response.destroyed) break
    // Waits for a client that reads too slowly, so that the server holds no more than one chunk for it.
    if (response.write(value)) continue
    response.req.socket.setTimeout(stalledMs)
    await new Promise(resolve => response.once('drain', resolve).once('close', resolve))
    response.req.socket.setTimeout(0)
  }
  response.end()
}

const lingerMs = 2000

/**
 * Ends a connection after its last response, and reads for a while what the client still sends: closing a socket with
 * unread bytes resets the connection, and the client may lose the response (RFC 9112, 9.6).
 */
export const lingeringClose = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}
