/** The server that callbacks come to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Arrival, type Headers, type HttpResponse, withoutLastSlashes } from '../../spec/index.ts'
import { ListenerError } from '../errors.ts'
import type { ListenOptions } from '../options/run-options.ts'

export type Answer = (arrival: Arrival, count: number) => HttpResponse

/** An address of its own for the callbacks of one request. */
export type Line = {
  readonly url: string
  readonly arrivals: () => readonly Arrival[]
  /** Waits until enough has come, at most so many milliseconds, or until the run is stopped. */
  readonly wait: (isEnough: () => boolean, ms: number) => Promise<void>
}

export type Listener = {
  readonly waitMs: number
  readonly open: (answer: Answer) => Line
  /** What came to no open line, such as `POST /hook`. */
  readonly strays: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Of a longer body, the rest is not kept. */
const mostBytes = 8 * 1024 * 1024
const mostStrays = 1000

/** Listens for callbacks. `key` tells the addresses of this run from those of others. Throws ListenerError. */
export const openListener = async (
  { host, port, publicUrl, waitMs }: ListenOptions,
  key: string,
  signal: AbortSignal,
): Promise<Listener> => {
  const lines = new Map<string, { readonly receive: (arrival: Arrival) => HttpResponse }>()
  const strays: string[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request)
    const { method = '', url = '/' } = request
    const [, name = '', target = ''] = address.exec(url) ?? []
    const headers = pairsOf(request.rawHeaders)
    const line = lines.get(name)
    if (line === undefined && strays.length < mostStrays) strays.push(`${method} ${url}`)
    const answer = line?.receive({ method, target, headers, body, at: performance.now() }) ?? taken
    response.writeHead(answer.status, answer.headers.flat())
    response.end(answer.body)
  }
  const address = new RegExp(`/(${key}-\\d+)([/?].*|)$`, 's')
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  await listening(server, host, port)
  const { port: taking } = server.address() as AddressInfo
  const base = withoutLastSlashes(publicUrl ?? `http://${nameOf(host)}:${taking}`)
  let count = 0
  return {
    waitMs,
    open: answer => {
      const name = `${key}-${++count}`
      const all: Arrival[] = []
      const waiting = new Set<() => void>()
      lines.set(name, {
        receive: arrival => {
          all.push(arrival)
          for (const check of waiting) check()
          return answer(arrival, all.length)
        },
      })
      return {
        url: `${base}/${name}`,
        arrivals: () => all,
        wait: (isEnough, ms) => waited(isEnough, ms, waiting, signal),
      }
    },
    strays: () => strays,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const taken: HttpResponse = { status: 204, headers: [], body: new Uint8Array() }

const waited = (
  isDone: () => boolean,
  ms: number,
  waiting: Set<() => void>,
  signal: AbortSignal,
): Promise<void> =>
  new Promise(resolve => {
    if (isDone() || ms <= 0 || signal.aborted) {
      resolve()
      return
    }
    const end = (): void => {
      clearTimeout(timer)
      waiting.delete(check)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const check = (): void => {
      if (isDone()) end()
    }
    const timer = setTimeout(end, ms)
    waiting.add(check)
    signal.addEventListener('abort', end)
  })

const listening = (server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ListenerError(
          `cannot listen for callbacks on ${host}:${port} (${error.code ?? error.message}): choose another address with --listen, or a free port with --listen 0`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })

/** By which name this machine reaches what listens on an address. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

const bytesOf = async (request: IncomingMessage): Promise<Uint8Array | null> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= mostBytes) chunks.push(chunk)
  }
  return size === 0 && request.headers['content-type'] === undefined ? null : Buffer.concat(chunks)
}

const pairsOf = (raw: readonly string[]): Headers =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] as string] as const] : []))
