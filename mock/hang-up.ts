import type { Socket } from 'node:net'

const lingerMs = 2000

/**
 * Ends a connection after its last answer. What the client still sends is read for a while: closing on unread bytes
 * resets the connection, and may take the answer with it before the client has read it (RFC 9112 9.6).
 */
export const hangUp = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}
