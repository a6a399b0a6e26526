import { Agent, request as nodeRequest } from 'node:http'
import { request as nodeTlsRequest, Agent as TlsAgent } from 'node:https'
import { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { type Failure, fillToken, type Headers, type Outcome, type Request } from '../spec/index.ts'

/** Stands for a token where none is known: well-formed, and nobody's. */
export const madeUpToken = 'plantstore-made-up-token'

/** What an answer may be long, in bytes: more is not read. */
const maxAnswerBytes = 10 * 1024 * 1024

export type SendOptions = {
  readonly base: URL
  readonly token: string
  readonly connections: number
  readonly timeoutMs: number
  readonly insecure: boolean
}

export type Transport = {
  /** Sends on any of the pooled connections. */
  readonly send: (request: Request) => Promise<Outcome>
  /** Sends one after the other on one connection of their own, as far as the server keeps it open. */
  readonly sendInRow: (requests: readonly Request[]) => Promise<readonly Outcome[]>
  readonly close: () => Promise<void>
}

/** Sends requests to one server; undici carries the bulk, node:http what a well-behaved client does not send. */
export const createTransport = (options: SendOptions): Transport => {
  const { base, connections, timeoutMs, insecure } = options
  const pool = new Pool(base.origin, {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxAnswerBytes,
    connect: { timeout: timeoutMs, rejectUnauthorized: !insecure },
  })
  let bare = false
  const prefix = base.pathname.replace(/\/$/, '')
  const fill = (request: Request): Request => fillRequest(request, prefix, options.token)
  return {
    send: async request => {
      const filled = fill(request)
      // undici gives every POST a Content-Length, so a request without a body goes the other way.
      if (!bare && (filled.body !== null || filled.method === 'GET')) {
        const outcome = await sendPooled(pool, filled, timeoutMs)
        // An interim answer that was not asked for (RFC 9110 15.2) is lawful, but undici gives up on it.
        bare = outcome.kind === 'failure' && outcome.detail === 'bad response'
        if (!bare) return outcome
      }
      return (await inRow([filled], options))[0] as Outcome
    },
    sendInRow: requests => inRow(requests.map(fill), options),
    close: () => pool.destroy(),
  }
}

/** The same transport, counting what it sends. */
export const countRequests = (transport: Transport): Transport & { readonly sent: () => number } => {
  let sent = 0
  return {
    ...transport,
    send: request => {
      sent += 1
      return transport.send(request)
    },
    sendInRow: requests => {
      sent += requests.length
      return transport.sendInRow(requests)
    },
    sent: () => sent,
  }
}

const fillRequest = (request: Request, prefix: string, token: string): Request => ({
  ...request,
  target: prefix + fillToken(request.target, encodeURIComponent(token)),
  headers: request.headers.map(([name, value]) => [name, fillToken(value, token)]),
})

const sendPooled = async (
  pool: Pool,
  { method, target, headers, body, chunked }: Request,
  timeoutMs: number,
): Promise<Outcome> => {
  const began = performance.now()
  let status: number | null = null
  try {
    const response = await pool.request({
      method: method as 'POST',
      path: target,
      headers: headers.flat(),
      body: body === null ? null : chunked ? Readable.from(chunks(body)) : body,
      responseHeaders: 'raw',
    })
    const { statusCode } = response
    status = statusCode
    const bytes = await within(response.body, timeoutMs)
    return {
      kind: 'answer',
      answer: { status: statusCode, headers: pairs(response.headers), body: bytes },
      ms: performance.now() - began,
    }
  } catch (error) {
    return { kind: 'failure', ...failureOf(error), status, ms: performance.now() - began }
  }
}

const noAnswer = (timeoutMs: number): Error =>
  Object.assign(new Error(`no whole answer within ${timeoutMs} ms`), { code: 'UND_ERR_BODY_TIMEOUT' })

/** Reads a body to its end; one that only ever trickles is given up after the time. */
const within = async (body: Dispatcher.ResponseData['body'], timeoutMs: number): Promise<Uint8Array> => {
  const timer = setTimeout(() => body.destroy(noAnswer(timeoutMs)), timeoutMs)
  try {
    return new Uint8Array(await body.arrayBuffer())
  } finally {
    clearTimeout(timer)
  }
}

async function* chunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const half = Math.ceil(body.length / 2)
  yield body.subarray(0, half)
  if (half < body.length) yield body.subarray(half)
}

const pairs = (headers: unknown): Headers => {
  const flat = Array.isArray(headers)
    ? headers.map(String)
    : Object.entries(headers as Record<string, string | string[]>).flatMap(([name, value]) =>
        [value].flat().flatMap(one => [name, one]),
      )
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []))
}

const inRow = async (requests: readonly Request[], options: SendOptions): Promise<readonly Outcome[]> => {
  const shared = { keepAlive: true, maxSockets: 1 }
  const secure = options.base.protocol === 'https:'
  const agent = secure
    ? new TlsAgent({ ...shared, rejectUnauthorized: !options.insecure })
    : new Agent(shared)
  const outcomes: Outcome[] = []
  try {
    for (const request of requests) outcomes.push(await sendBare(request, agent, options))
  } finally {
    agent.destroy()
  }
  return outcomes
}

const sendBare = (
  { method, target, headers, body, chunked }: Request,
  agent: Agent,
  { base, timeoutMs }: SendOptions,
): Promise<Outcome> =>
  new Promise(resolve => {
    const began = performance.now()
    let status: number | null = null
    let ended = false
    const end = (outcome: Outcome): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      resolve(outcome)
    }
    const fail = (error: unknown): void =>
      end({ kind: 'failure', ...failureOf(error), status, ms: performance.now() - began })
    const send = base.protocol === 'https:' ? nodeTlsRequest : nodeRequest
    const host = base.hostname.replace(/^\[|\]$/g, '')
    const outgoing = send(
      { host, port: base.port || undefined, method, path: target, agent, setHost: false },
      response => {
        status = response.statusCode ?? 0
        const parts: Buffer[] = []
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          parts.push(part)
          if (size > maxAnswerBytes)
            outgoing.destroy(
              Object.assign(new Error('the answer is too large'), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }),
            )
        })
        response.on('error', fail)
        response.on('end', () =>
          end({
            kind: 'answer',
            answer: { status: status ?? 0, headers: pairs(response.rawHeaders), body: Buffer.concat(parts) },
            ms: performance.now() - began,
          }),
        )
      },
    )
    const timer = setTimeout(() => {
      fail(noAnswer(timeoutMs))
      outgoing.destroy()
    }, timeoutMs)
    // A connection that ends without a word, such as one that was switched to another protocol.
    outgoing.on('close', () => fail(new Error('the connection ended without an answer')))
    outgoing.on('error', fail)
    outgoing.setHeader('Host', base.host)
    for (const [name, value] of headers) outgoing.appendHeader(name, value)
    if (body === null) {
      // No body at all: neither a length nor chunks are announced.
      outgoing.removeHeader('content-length')
      outgoing.removeHeader('transfer-encoding')
      outgoing.end()
    } else if (chunked) outgoing.end(body)
    else {
      outgoing.setHeader('Content-Length', body.length)
      outgoing.end(body)
    }
  })

const failures: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  HPE_HEADER_OVERFLOW: 'too-large',
}

const failureOf = (error: unknown): { readonly failure: Failure; readonly detail: string } => {
  const causes: Error[] = []
  for (
    let at: unknown = error;
    at instanceof Error && causes.length < 5;
    at = at.cause ?? (at as AggregateError).errors?.[0]
  )
    causes.push(at)
  const detail = causes[0]?.message || causes[1]?.message || String(error)
  for (const cause of causes) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const known = failures[code]
    if (known !== undefined) return { failure: known, detail: detail || code }
    if (code.startsWith('HPE_')) return { failure: 'malformed', detail }
    if (/CERT|TLS|SSL/.test(code)) return { failure: 'unreachable', detail }
  }
  return { failure: 'reset', detail }
}
