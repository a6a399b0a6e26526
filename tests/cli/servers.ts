import { type AddressInfo, createServer, type Socket } from 'node:net'
import { brokenServers, challengeServers, type Running, startServer } from '../broken-servers/index.ts'
import { parseJson } from '../broken-servers/store/json.ts'
import type { Parts } from '../broken-servers/store/model.ts'
import { lawfulParts } from '../broken-servers/store/store.ts'

/** A lawful plant store, with some of its parts changed. */
export const storeWith = (parts: Partial<Parts>): Promise<Running> =>
  startServer({ name: 'own', about: 'A store of one test.', parts: () => parts })

export const brokenStore = async (name: string): Promise<Running & { readonly breaks: RegExp }> => {
  const server = [...brokenServers, ...challengeServers].find(row => row.name === name)
  if (server === undefined) throw new Error(`there is no broken store ${name}`)
  return { ...(await startServer(server)), breaks: server.breaks }
}

/** A lawful store that records every body that it parses. */
export const recordingStore = async (): Promise<Running & { readonly bodies: readonly string[] }> => {
  const bodies: string[] = []
  const store = await storeWith({
    parse: text => {
      bodies.push(text)
      return parseJson(text)
    },
  })
  return { ...store, bodies }
}

/** A shell command that creates a plant through the proxy of `plantstore proxy --run`. */
export const postThroughProxy = (token: string): string => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ id: 1, name: 'Fern' }) }
  const program = `fetch(process.env.PLANTSTORE_PROXY_URL + "/plants", ${JSON.stringify(init)})`
  return `'${process.execPath}' -e '${program}'`
}

/** A lawful store that is slow, so that a run can be interrupted half-way. */
export const slowStore = (milliseconds: number): Promise<Running> =>
  storeWith({
    respond: async (answer, exchange) => {
      await exchange.wait(milliseconds)
      return answer
    },
  })

/** A store that echoes the credentials that it gets: in a header, in a plant, in an error. */
export const echoingStore = (parts: Partial<Parts>): Promise<Running> => {
  const shown = (exchange: Parameters<Parts['failure']>[1]): string =>
    (exchange.request.headersDistinct.authorization ?? []).join(' & ')
  return storeWith({
    ...parts,
    plant: (plant, exchange) => ({
      ...(lawfulParts.plant(plant, exchange) as object),
      seen: shown(exchange),
    }),
    failure: (_, exchange) => ({ error: 1, message: `not with ${shown(exchange)}` }),
    send: (answer, response, exchange) => {
      response.setHeader('x-seen', shown(exchange))
      return lawfulParts.send(answer, response, exchange)
    },
  })
}

type Listening = { readonly url: string; readonly port: number; readonly close: () => Promise<void> }

/** Accepts every connection and never answers. */
export const silentServer = async (): Promise<Listening> => {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.resume()
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise(closed => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The URL of a port on which nothing listens. */
export const deadUrl = async (): Promise<string> => {
  const { url, close } = await silentServer()
  await close()
  return url
}
