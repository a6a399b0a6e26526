import { type AddressInfo, createServer } from 'node:net'

/** A port that nothing listens on, for programs that cannot choose one. */
export const freePort = (): Promise<string> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(String(port)))
    })
  })
