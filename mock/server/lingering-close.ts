import type { Socket } from 'node:net'

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
