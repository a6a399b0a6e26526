import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isAuthentic } from './credentials.ts'
import { asText, decodeUtf8, isInt64, isObject, isText, parseJson } from './json.ts'
import type { Cause, Exchange, NewPlant, Parts, StoreResponse } from './model.ts'

export const mediaType = ({ request }: Exchange): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const messages: Record<Exclude<Cause, 'none'>, string> = {
  credentials: 'a valid bearer token is needed',
  media: 'the body is not application/json',
  json: 'the body is not JSON',
  body: 'the body is not an object',
  id: 'id is not an int64',
  name: 'name is not a string',
  tag: 'tag is not a string',
}

/** The plant store of the contract. */
export const lawfulParts: Parts = {
  authenticate: isAuthentic,
  media: exchange => mediaType(exchange) === 'application/json',
  read: async request => Buffer.concat(await request.toArray()),
  decode: decodeUtf8,
  parse: parseJson,
  body: isObject,
  id: isInt64,
  name: isText,
  tag: value => value === undefined || isText(value),
  plant: ({ name, tag }) => (tag === undefined ? { name } : { name, tag }),
  failure: cause => ({ error: 1, message: cause === 'none' ? '' : messages[cause] }),
  write: value => JSON.stringify(value),
  type: () => 'application/json',
  respond: response => response,
  send: ({ status, headers, body }, out) => {
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
    out.writeHead(status, { ...length, ...headers })
    out.end(body)
  },
  elsewhere: known => ({
    status: known ? 405 : 404,
    headers: { 'content-type': 'application/json', ...(known ? { allow: 'POST' } : {}) },
    body: JSON.stringify(
      known ? { error: 405, message: 'method not allowed' } : { error: 404, message: 'not found' },
    ),
  }),
  early: () => false,
  tune: () => undefined,
}

const readPlant = (value: unknown): NewPlant => {
  const { id, name, tag } = isObject(value) ? value : {}
  return {
    id: typeof id === 'bigint' ? id : 0n,
    name: asText(name),
    tag: tag === undefined || tag === null ? undefined : asText(tag),
  }
}

const evaluate = (parts: Parts, exchange: Exchange): readonly [Cause, NewPlant | undefined] => {
  if (!parts.authenticate(exchange)) return ['credentials', undefined]
  if (!parts.media(exchange)) return ['media', undefined]
  let value: unknown
  try {
    value = parts.parse(parts.decode(exchange.bytes, exchange))
  } catch {
    return ['json', undefined]
  }
  const plant = readPlant(value)
  if (!parts.body(value)) return ['body', plant]
  const { id, name, tag } = isObject(value) ? value : { id: 0n, name: '', tag: undefined }
  if (!parts.id(id)) return ['id', plant]
  if (!parts.name(name)) return ['name', plant]
  if (!parts.tag(tag)) return ['tag', plant]
  return ['none', plant]
}

/** Whether the contract demands that a request is accepted. */
export const isAcceptable = (exchange: Exchange): boolean => evaluate(lawfulParts, exchange)[0] === 'none'

const responseTo = (parts: Parts, exchange: Exchange): StoreResponse => {
  const [cause, plant] = evaluate(parts, exchange)
  const accepted = cause === 'none' && plant !== undefined
  const value = accepted ? parts.plant(plant, exchange) : parts.failure(cause, exchange)
  const response: StoreResponse = {
    status: accepted ? 200 : 400,
    headers: {},
    body: parts.write(value, exchange),
    cause,
    plant,
  }
  const type = parts.type(response, exchange)
  return type === undefined ? response : { ...response, headers: { 'content-type': type } }
}

const isElsewhere = (parts: Parts, request: IncomingMessage, out: ServerResponse): boolean => {
  const known = request.url?.split('?', 1)[0] === '/plants'
  if (known && request.method === 'POST') return false
  const { status, headers, body } = parts.elsewhere(known)
  request.resume()
  out.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers })
  out.end(body)
  return true
}

export interface Running {
  readonly url: string
  readonly token: string
  readonly close: () => Promise<void>
}

export const startStore = async (changes: Partial<Parts>, token: string): Promise<Running> => {
  const parts: Parts = { ...lawfulParts, ...changes }
  const closing = new AbortController()
  const requestsOf = new WeakMap<Socket, number>()
  let requests = 0
  let running = 0

  const serve = async (exchange: Exchange, out: ServerResponse): Promise<void> => {
    if (parts.early(exchange, out)) return
    const bytes = await parts.read(exchange.request)
    const complete = { ...exchange, bytes }
    const reply = await parts.respond(responseTo(parts, complete), complete)
    if (reply !== undefined) await parts.send(reply, out, complete)
  }

  const server = createServer({ requireHostHeader: false }, async (request, out) => {
    if (isElsewhere(parts, request, out)) return
    const nthOnSocket = (requestsOf.get(request.socket) ?? 0) + 1
    requestsOf.set(request.socket, nthOnSocket)
    requests += 1
    running += 1
    const exchange: Exchange = {
      request,
      bytes: Buffer.alloc(0),
      token,
      nth: requests,
      nthOnSocket,
      running: () => running,
      wait: milliseconds => delay(milliseconds, undefined, { signal: closing.signal }),
    }
    out.once('close', () => {
      running -= 1
    })
    try {
      await serve(exchange, out)
    } catch {
      // The client left in the middle of its request, or the store is closing.
      request.socket.destroy()
    }
  })
  server.keepAliveTimeout = 60_000
  parts.tune(server)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    close: async () => {
      const closed = new Promise(done => server.close(done))
      closing.abort()
      server.closeAllConnections()
      await closed
    },
  }
}
