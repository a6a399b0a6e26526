import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it came, and the connection to respond on. `nth`: 1 for the first of the connection. */
export type RawRequest = {
  readonly head: string
  readonly body: string
  readonly socket: Socket
  readonly nth: number
  readonly connection: number
}

export type RawServer = { readonly url: URL; readonly requests: readonly RawRequest[] }

/** A server that writes any bytes it likes. It is closed with its test. */
export const rawServer = async (respond: (request: RawRequest) => void): Promise<RawServer> => {
  const sockets = new Set<Socket>()
  const requests: RawRequest[] = []
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    const connection = sockets.size
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end())
    let buffer = ''
    let nth = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      buffer += text
      for (;;) {
        const at = buffer.indexOf('\r\n\r\n')
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(buffer.slice(0, at))?.[1] ?? 0)
        if (at < 0 || buffer.length < at + 4 + length) return
        nth += 1
        const request = {
          head: buffer.slice(0, at),
          body: buffer.slice(at + 4, at + 4 + length),
          socket,
          nth,
          connection,
        }
        buffer = buffer.slice(at + 4 + length)
        requests.push(request)
        respond(request)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), requests }
}

/** A response with its length; `lines` are further header lines. */
export const responseText = (status: number, body: string, ...lines: readonly string[]): string =>
  `HTTP/1.1 ${status} Whatever\r\n${[...lines, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`
