import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Composed } from './compose.ts'
import { hangUp } from './hang-up.ts'
import { isBodiless } from './respond.ts'

/**
 * Writes an answer to the client, as its fate wants it. `ends`: it is the last of its connection. A client that takes
 * nothing of it for `stalledMs` is left.
 */
export const deliver = (
  { status, headers: own, body, announced, fate, stream }: Composed,
  request: IncomingMessage,
  response: ServerResponse,
  ends: boolean,
  stalledMs: number,
): void => {
  if (fate === 'hang') {
    endWithClient(request.socket)
    return
  }
  if (fate === 'reset') {
    reset(request.socket)
    return
  }
  const headers: string[] = []
  for (const [name, value] of own) headers.push(name, value)
  if (ends) headers.push('Connection', 'close')
  const empty = isBodiless(status)
  if (!empty && stream === undefined) headers.push('Content-Length', String(announced ?? body.length))
  response.writeHead(status, headers)
  const bytes = empty || request.method === 'HEAD' ? null : body
  if (stream !== undefined && bytes !== null) {
    pour(stream, response, stalledMs).catch(() => response.destroy())
    return
  }
  if (fate === 'truncate') {
    const cut = (): void => request.socket.destroySoon()
    // Where there is no body to cut, nothing comes at all.
    if (bytes === null || bytes.length === 0) cut()
    else response.write(bytes.subarray(0, bytes.length >> 1), cut)
    return
  }
  if (!ends) {
    // One character for each byte: Node writes head and body at once only where the body is text.
    if (bytes === null || bytes.length > mostAtOnce) response.end(bytes ?? undefined)
    else
      response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1')
    if (request.socket.writableLength > 0) request.socket.setTimeout(stalledMs)
    return
  }
  response.flushHeaders()
  if (bytes !== null && bytes.length > 0) response.write(bytes)
  request.resume()
  hangUp(request.socket)
}

// Whoever waits for no answer cannot be told from who ended its side alone; without an answer both are the same.
const endWithClient = (socket: Socket): void => {
  if (socket.readableEnded) socket.destroy()
  else socket.once('end', () => socket.destroy())
}

/** Ends a connection with RST. Below TLS that is for the socket that carries it; Node has no public name for that one. */
const reset = (socket: Socket): void => {
  const carrier = 'encrypted' in socket ? (socket as { readonly _parent?: Socket })._parent : socket
  if (carrier instanceof Socket) carrier.resetAndDestroy()
  else socket.destroy()
}

const pour = async (
  stream: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  stalledMs: number,
): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]()
  response.once('close', () => void iterator.return?.())
  endWithClient(response.req.socket)
  response.flushHeaders()
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true || response.destroyed) break
    // A client that reads too slowly is waited for, so that what it does not read is not held here.
    if (response.write(value)) continue
    response.req.socket.setTimeout(stalledMs)
    await new Promise(resolve => response.once('drain', resolve).once('close', resolve))
    response.req.socket.setTimeout(0)
  }
  response.end()
}

const mostAtOnce = 16 * 1024
