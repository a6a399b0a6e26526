import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export type Proxy = {
  readonly url: string
  readonly port: number
  /** `POST http://store.test/plants` or `CONNECT store.test:443`, and the credentials that came with it. */
  readonly seen: readonly { readonly line: string; readonly credentials: string | undefined }[]
  readonly close: () => Promise<void>
}

/** A proxy to any server; with a password, only for clients that know it. */
export const startProxy = async (password: string | null = null): Promise<Proxy> => {
  const seen: { line: string; credentials: string | undefined }[] = []
  const sockets = new Set<Socket>()
  const isKnown = ({ method, url, headers }: IncomingMessage): boolean => {
    const credentials = headers['proxy-authorization']
    seen.push({ line: `${method} ${url}`, credentials })
    return password === null || credentials === `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
  }
  const server = createServer((incoming, response) => {
    if (!isKnown(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('who are you?')
      return
    }
    const headers = incoming.rawHeaders.filter(
      (_value, at) => !/^proxy-/i.test(incoming.rawHeaders[at - (at % 2)] ?? ''),
    )
    const onward = request(incoming.url ?? '', { method: incoming.method ?? 'GET', headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (!isKnown(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const [host = '', port = ''] = (incoming.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    sockets.add(onward)
    onward.on('error', () => socket.destroy())
  })
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
