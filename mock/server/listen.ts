import type { Server } from 'node:http'
import { ListenError } from '../errors.ts'

/** The flags that a message names. */
type Flags = { readonly port: string; readonly host: string }

/** Resolves when the server listens. Throws ListenError. */
export const listen = (
  server: Server,
  host: string,
  port: number,
  flags: Flags = { port: '--port', host: '--host' },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(new ListenError(listenProblem(error, host, port, flags)))
    // The listener stays: an error without one would end the process.
    server.on('error', fail)
    try {
      server.listen(port, host, resolve)
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
  })

const listenProblem = (
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: Flags,
): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: choose another with ${flags.port}, or ${flags.port} 0 for any free one`
    case 'EACCES':
      return `no permission to listen on port ${port}: choose one above 1023 with ${flags.port}`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: choose another with ${flags.host}`
    case 'ERR_SOCKET_BAD_PORT':
      return `${port} is not a valid port: choose one from 1 to 65535 with ${flags.port}, or ${flags.port} 0 for any free one`
    default:
      return `cannot listen on ${host}:${port}: ${message}`
  }
}
