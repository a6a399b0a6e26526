import type { Headers as HeaderPairs } from '../../spec/index.ts'
import { contentLength, type Fault, isBodiless, type MockResponse } from '../engine/compiled-response.ts'

/** The headers of a response, with its Content-Length. */
export const headersWithLength = (response: MockResponse, fault: Fault | null): HeaderPairs => {
  const length = contentLength(response, fault)
  return length === null ? response.headers : [...response.headers, ['Content-Length', length]]
}

/**
 * A response as the Fetch standard has it. A truncated body errors half-way; a reset connection is `Response.error()`, and
 * so is a response that hangs, once the client aborts.
 */
export const fetchResponse = async (
  response: MockResponse,
  fault: Fault | null,
  { method, signal }: Request,
): Promise<Response> => {
  if (fault === 'hang') return aborted(signal)
  if (fault === 'reset') return Response.error()
  const body = method === 'HEAD' || isBodiless(response.status) ? null : bodyOf(response, fault)
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status: response.status,
    headers: headersWithLength(response, fault).map(([name, value]) => [name, value]),
  })
}

const bodyOf = (
  { body, stream }: MockResponse,
  fault: Fault | null,
): Uint8Array | ReadableStream<Uint8Array> => {
  if (stream !== undefined) return streamed(chunks(body, stream))
  return fault === 'truncate' ? streamed(half(body)) : body
}

async function* chunks(body: Uint8Array, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (body.length > 0) yield body
  yield* stream
}

async function* half(body: Uint8Array): AsyncIterable<Uint8Array> {
  yield body.subarray(0, body.length >> 1)
  throw new TypeError('the connection was closed before the end of the body')
}

// A chunk is made when it is read, so that chunks nobody reads take no memory.
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
