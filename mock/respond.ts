import type { Headers as Pairs } from '../spec/index.ts'
import type { Composed } from './compose.ts'

/** Statuses whose answers have no body and tell no length of one (RFC 9110, 15.3.5 and 15.4.5). */
export const isBodiless = (status: number): boolean => status === 204 || status === 304

/** The header fields of an answer, with the length that it announces. */
export const headersOf = ({ status, headers, body, announced, stream }: Composed): Pairs =>
  isBodiless(status) || stream !== undefined
    ? headers
    : [...headers, ['Content-Length', String(announced ?? body.length)]]

/**
 * An answer as the Fetch standard has it, as its fate wants it: a body that errors half-way where it is truncated,
 * `Response.error()` where the connection is reset, or where it hangs and the client gave up.
 */
export const respond = async (answer: Composed, { method, signal }: Request): Promise<Response> => {
  if (answer.fate === 'hang') return aborted(signal)
  if (answer.fate === 'reset') return Response.error()
  const body = method === 'HEAD' || isBodiless(answer.status) ? null : bodyOf(answer)
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status: answer.status,
    headers: headersOf(answer).map(([name, value]) => [name, value]),
  })
}

const bodyOf = ({ body, fate, stream }: Composed): Uint8Array | ReadableStream<Uint8Array> => {
  if (stream !== undefined) return streamed(chunks(body, stream))
  return fate === 'truncate' ? streamed(half(body)) : body
}

async function* chunks(body: Uint8Array, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (body.length > 0) yield body
  yield* stream
}

async function* half(body: Uint8Array): AsyncIterable<Uint8Array> {
  yield body.subarray(0, body.length >> 1)
  throw new TypeError('the connection was closed before the body was whole')
}

// One chunk is made when one is asked for: what nobody reads is not held.
const streamed = (source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      pull: async controller => {
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await iterator.return?.()),
    },
    { highWaterMark: 0 },
  )
}

const aborted = (signal: AbortSignal): Promise<Response> =>
  new Promise(resolve => {
    const stop = (): void => resolve(Response.error())
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
