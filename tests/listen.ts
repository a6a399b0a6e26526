import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens on a free port of this machine; closing it closes its connections as well. */
export type Listening = { readonly url: string; readonly close: () => Promise<void> }

export const listen = async (server: Server): Promise<Listening> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
