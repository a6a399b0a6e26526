import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Composed } from './compose.ts'
import { isBodiless } from './respond.ts'

/** Writes an answer to the client, as its fate wants it. `tooLarge`: the client may still be sending its body. */
export const deliver = (
  { status, headers: own, body, announced, fate, stream }: Composed,
  request: IncomingMessage,
  response: ServerResponse,
  tooLarge: boolean,
): void => {
  if (fate === 'hang') return
  if (fate === 'reset') {
    reset(request.socket)
    return
  }
  const headers: string[] = []
  for (const [name, value] of own) headers.push(name, value)
  if (tooLarge) headers.push('Connection', 'close')
  const empty = isBodiless(status)
  if (!empty && stream === undefined) headers.push('Content-Length', String(announced ?? body.length))
  response.writeHead(status, headers)
  const bytes = empty || request.method === 'HEAD' ? null : body
  if (stream !== undefined && bytes !== null) {
    pour(stream, response).catch(() => response.destroy())
    return
  }
  if (fate === 'truncate') {
    const cut = (): void => request.socket.destroySoon()
    // Where there is no body to cut, nothing comes at all.
    if (bytes === null || bytes.length === 0) cut()
    else response.write(bytes.subarray(0, bytes.length >> 1), cut)
    return
  }
  if (!tooLarge) {
    // One character for each byte: Node writes head and body at once only where the body is text.
    if (bytes === null || bytes.length > mostAtOnce) response.end(bytes ?? undefined)
    else
      response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1')
    return
  }
  response.flushHeaders()
  if (bytes !== null) response.write(bytes)
  drain(request, () => response.end())
}

/** Ends a connection with RST. Below TLS that is for the socket that carries it; Node has no public name for that one. */
const reset = (socket: Socket): void => {
  const carrier = 'encrypted' in socket ? (socket as { readonly _parent?: Socket })._parent : socket
  if (carrier instanceof Socket) carrier.resetAndDestroy()
  else socket.destroy()
}

const pour = async (stream: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]()
  response.once('close', () => void iterator.return?.())
  response.flushHeaders()
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true || response.destroyed) break
    // A client that reads too slowly is waited for, so that what it does not read is not held here.
    if (!response.write(value))
      await new Promise(resolve => response.once('drain', resolve).once('close', resolve))
  }
  response.end()
}

const mostAtOnce = 16 * 1024
const drainMs = 2000

/**
 * Reads on for a while what a client is still sending: closing the connection on unread bytes resets it, and may
 * take the answer with it before the client has read it.
 */
const drain = (request: IncomingMessage, done: () => void): void => {
  const timer = setTimeout(done, drainMs)
  const stop = (): void => {
    clearTimeout(timer)
    done()
  }
  request.once('end', stop)
  request.once('close', stop)
  request.resume()
}
