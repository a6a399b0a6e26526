/** Servers behind a proxy, and raw bytes to and from both. */
import { createServer, type RequestListener, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import {
  createProxy,
  type Entry,
  type Mock,
  type ProxyOptions,
  type RunningProxy,
} from '../../../mock/index.ts'
import { loadContract, plantStoreDocument } from '../../../spec/index.ts'

const plantStore = await loadContract({ from: fileURLToPath(plantStoreDocument) })

/** A proxy in front of a server, of the plant store by default; both close with the test. */
export const startProxy = async (
  target: string,
  options: Omit<Partial<ProxyOptions>, 'target'> = {},
): Promise<RunningProxy> => {
  const proxy = await createProxy({
    contract: plantStore,
    warn: message => {
      throw new Error(`unexpected warning: ${message}`)
    },
    ...options,
    target: new URL(target),
  })
  onTestFinished(proxy.close)
  return proxy
}

export const listening = async (server: Server | TcpServer): Promise<string> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that writes no fields of its own about the connection. */
export const httpServer = (respond: RequestListener): Promise<string> =>
  listening(
    createServer((request, response) => {
      response.sendDate = false
      response.removeHeader('Connection')
      respond(request, response)
    }),
  )

export const tcpServer = (onConnection: (socket: Socket) => void): Promise<string> =>
  listening(createTcpServer({ allowHalfOpen: true }, onConnection))

/** Answers every connection, as soon as `enough` bytes have come, with the same bytes; `seen` has what came. */
export const scripted = async (
  answer: string,
  enough: (text: string) => boolean = text => text.includes('\r\n\r\n'),
): Promise<{ readonly url: string; readonly seen: string[] }> => {
  const seen: string[] = []
  const url = await tcpServer(socket => {
    let text = ''
    let isAnswered = false
    const index = seen.push('') - 1
    socket.setEncoding('latin1').on('data', (data: unknown) => {
      text += data
      seen[index] = text
      if (isAnswered || !enough(text)) return
      isAnswered = true
      socket.write(answer, 'latin1')
    })
    socket.on('end', () => socket.end())
  })
  return { url, seen }
}

/** Writes bytes to a new connection, and returns what it receives until the other side closes it, or `enough` is true. */
export const exchanged = (
  url: string,
  bytes: string | Uint8Array,
  enough: (text: string) => boolean = () => false,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    const done = (): void => {
      socket.destroy()
      resolve(text)
    }
    socket.setEncoding('latin1').on('data', (data: unknown) => {
      text += data
      if (enough(text)) done()
    })
    socket.on('close', done)
    socket.on('error', error => (text === '' ? reject(error) : done()))
    socket.write(bytes)
  })

/** The next entry of the journal. */
export const nextEntry = ({ journal }: Mock): Promise<Entry> =>
  new Promise(resolve => {
    const stop = journal.listen(entry => {
      stop()
      resolve(entry)
    })
  })

export const plantRequest = (body: string, fields = ''): string =>
  `POST /plants HTTP/1.1\r\nhost: shop.test\r\nAuthorization: Bearer secret-token\r\nContent-Type: application/json\r\n${fields}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
