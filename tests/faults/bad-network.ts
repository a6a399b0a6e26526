import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Weather = {
  /** Milliseconds that each chunk takes, in both directions. */
  readonly latency: number
  /** The connection of every nth chunk that a client sends is reset; 0: of none. */
  readonly losesEvery: number
  /** After so many chunks of clients everything is cut and refused; null: never. */
  readonly diesAfter: number | null
}

/** A proxy on a free port that does to connections what networks do. Gives its URL. */
export const badNetwork = async (target: string, { latency, losesEvery, diesAfter }: Weather) => {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  let chunks = 0
  const server = createServer(client => {
    const upstream = connect(Number(port), '127.0.0.1')
    const ends = [client, upstream]
    const cut = (): void => {
      for (const end of ends) end.destroy()
    }
    for (const end of ends) {
      sockets.add(end)
      end.on('error', cut).on('close', () => {
        sockets.delete(end)
        cut()
      })
    }
    const later = (send: () => void): void => {
      if (latency === 0) send()
      else setTimeout(send, latency)
    }
    client.on('data', chunk => {
      chunks += 1
      if (chunks === diesAfter) {
        server.close()
        for (const socket of sockets) socket.destroy()
      } else if (losesEvery > 0 && chunks % losesEvery === 0) client.resetAndDestroy()
      else later(() => upstream.write(chunk))
    })
    upstream.on('data', chunk => later(() => client.write(chunk)))
    upstream.on('end', () => later(() => client.end()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
