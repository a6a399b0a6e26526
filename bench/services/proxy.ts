import { createReadStream, createWriteStream } from 'node:fs'
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Exchange } from './judge.ts'

/** What is kept of a response, in bytes; a body that is longer is marked as cut. */
const keptBytes = 65_536
const keptOfRequest = 2_048

/**
 * A reverse proxy that passes on what comes and writes a line of JSON for each exchange. If the service ends a connection without a
 * response, so does the proxy. What cannot be passed on is answered 400, and is not in the log.
 */
export const startProxy = async (
  port: number,
  target: number,
  file: string,
): Promise<{ readonly stop: () => Promise<void> }> => {
  const log = createWriteStream(file)
  const start = performance.now()
  const server = createServer({ requestTimeout: 0, insecureHTTPParser: true }, (incoming, outgoing) => {
    const sent = collect(incoming, keptOfRequest)
    const write = (seen: Pick<Exchange, 'status' | 'type' | 'body' | 'isCut'>): void => {
      const { method = '', url = '' } = incoming
      const exchange: Exchange = { ms: Math.round(performance.now() - start), method, target: url, ...seen }
      log.write(`${JSON.stringify({ ...exchange, sent: sent().bytes.toString('utf8') })}\n`)
    }
    const onward = passOn(incoming, target, agentOf(incoming.socket))
    if (onward === null) {
      outgoing.writeHead(400).end()
      return
    }
    onward.once('socket', socket => tie(socket, incoming.socket))
    let isAnswered = false
    onward.once('response', response => {
      isAnswered = true
      passBack(response, outgoing, write)
    })
    onward.once('upgrade', (_response, socket) => {
      socket.destroy()
      outgoing.destroy()
    })
    onward.on('error', () => {
      // What comes after a response is not its end: Node expects no body after HEAD, and some servers send one.
      if (isAnswered) return
      write({ status: null, type: '', body: '', isCut: false })
      outgoing.destroy()
    })
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) onward.destroy()
    })
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await new Promise(resolve => log.end(resolve))
    },
  }
}

/** Connections to the service, by the one that comes in: if a service ends one after a response, what comes next on another must not be lost. */
const agents = new WeakMap<Socket, Agent>()

const agentOf = (incoming: Socket): Agent => {
  const known = agents.get(incoming)
  if (known !== undefined) return known
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.set(incoming, agent)
  incoming.once('close', () => agent.destroy())
  return agent
}

const tied = new WeakSet<Socket>()

/** Ends the incoming connection when the service ends its own. */
const tie = (service: Socket, incoming: Socket): void => {
  if (tied.has(service)) return
  tied.add(service)
  service.once('close', () => incoming.end())
}

/** null if Node sends no such request, such as one with NUL in a header. */
const passOn = (incoming: IncomingMessage, port: number, agent: Agent): ClientRequest | null => {
  const { method, url: path, rawHeaders } = incoming
  const isFramed =
    incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
  const headers = [
    // HTTP/1.0 needs none, and Node sends HTTP/1.1.
    ...(incoming.headers.host === undefined ? ['Host', `127.0.0.1:${port}`] : []),
    ...rawHeaders,
    // Node would send chunks, which some services do not expect.
    ...(isFramed || withoutContent.has(method ?? '') ? [] : ['Content-Length', '0']),
  ]
  const lenient = { setHost: false, insecureHTTPParser: true }
  try {
    return request({ host: '127.0.0.1', port, method, path, headers, agent, ...lenient })
  } catch {
    return null
  }
}

/** The methods without a body of which Node announces none. */
const withoutContent = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

/** What a proxy has written. Only a line feed ends a line: texts may have the line separators of Unicode in them. */
export async function* exchangesOf(file: string): AsyncGenerator<Exchange> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** Node reads more than it writes: a service may answer with control characters. */
const sendable = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')

const passBack = (
  response: IncomingMessage,
  outgoing: ServerResponse,
  write: (seen: Pick<Exchange, 'status' | 'type' | 'body' | 'isCut'>) => void,
): void => {
  const { statusCode: status = 0, headers } = response
  const type = headers['content-type'] ?? ''
  const received = collect(response, keptBytes)
  outgoing.writeHead(status, response.statusMessage, response.rawHeaders.map(sendable))
  response.pipe(outgoing)
  response.once('error', () => outgoing.destroy())
  response.once('close', () => {
    const { bytes, isCut: isLong } = received()
    const isCut = isLong || !response.complete
    const isText = /json|text|xml/.test(type) || status >= 500
    const body = isText && !isCut ? decoded(bytes, headers['content-encoding']).toString('utf8') : ''
    write({ status, type, body, isCut })
  })
}

const collect = (message: IncomingMessage, limit: number) => {
  const parts: Buffer[] = []
  let length = 0
  message.on('data', (part: Buffer) => {
    if (length < limit) parts.push(part)
    length += part.length
  })
  return () => ({ bytes: Buffer.concat(parts).subarray(0, limit), isCut: length > limit })
}

const decoded = (bytes: Buffer, encoding = ''): Buffer => {
  try {
    if (encoding === 'gzip') return gunzipSync(bytes)
    if (encoding === 'deflate') return inflateSync(bytes)
    if (encoding === 'br') return brotliDecompressSync(bytes)
  } catch {}
  return bytes
}
