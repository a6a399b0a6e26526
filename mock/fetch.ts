import { type AnswerOptions, buildMock } from './build.ts'
import { collect } from './collect.ts'
import type { Engine } from './engine.ts'
import { type Mounted, mounted } from './mounted.ts'
import { respond } from './respond.ts'
import { targetBelow } from './servers.ts'

export type HandlerOptions = AnswerOptions & {
  /** Largest body in bytes. Default 10 MiB. */
  readonly maxBodyBytes?: number
}

/** A mock without a server: what `fetch` would give if the mock stood at the URL of the request. */
export type Handler = ((request: Request) => Promise<Response>) & Mounted

export const mostBodyBytes = 10 * 1024 * 1024

/**
 * Makes a handler of requests, for servers that take one (Deno, Bun, Hono, workers) and in the place of `fetch` in tests. It
 * answers as the server does, byte for byte. Throws DocumentError where the document is not a usable contract; the handler
 * itself rejects as `fetch` does where a scenario resets the connection.
 *
 * @example
 * const handler = await createHandler({ tokens: ['secret'] })
 * const response = await handler(new Request('http://store.test/plants', { method: 'POST', … }))
 */
export const createHandler = async (options: HandlerOptions = {}): Promise<Handler> => {
  const built = await buildMock(options)
  return mounted(likeFetch(answerWith(built.engine, options.maxBodyBytes ?? mostBodyBytes)), built)
}

type Answer = (request: Request, base: string) => Promise<Response>

/** What is no answer rejects: by the reason of the request's signal, or as a network error does. */
export const likeFetch =
  (answer: Answer) =>
  async (request: Request): Promise<Response> => {
    const response = await answer(request, '')
    if (response.type !== 'error') return response
    request.signal.throwIfAborted()
    throw new TypeError('the connection was reset')
  }

/** Answers a request by its path below a base path (`/v1`, or empty). What is no answer is `Response.error()`. */
export const answerWith =
  (engine: Engine, maxBodyBytes: number): Answer =>
  async (request, base) => {
    const url = new URL(request.url)
    const headers = [...request.headers]
    return respond(
      await engine({
        method: request.method,
        target: targetBelow(base, url),
        // It is the client that writes it, after the request was made.
        headers: request.headers.has('host') ? headers : [['host', url.host], ...headers],
        ...(await collect(request, maxBodyBytes)),
        connection: request,
      }),
      request,
    )
  }
