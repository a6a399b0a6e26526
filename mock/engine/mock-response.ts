import type { Headers } from '../../spec/index.ts'
import type { Pace } from '../streams/pace.ts'

/** A response of the mock; it conforms to the contract unless a scenario or a mutant breaks it on purpose. */
export type MockResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** Written after `body`, chunk by chunk, until it ends or the client disconnects. */
  readonly stream?: AsyncIterable<Uint8Array>
  /** The client has got it already. */
  readonly delivered?: true
  /** Of a stream of items: its body as a scenario wants it to come. */
  readonly paced?: (pace: Pace) => Promise<Pick<MockResponse, 'body' | 'stream'>>
}

/**
 * How delivery fails: the connection is reset at once; half of the body is sent; nothing is ever sent; or
 * `Content-Length` announces more bytes than follow.
 */
export type Fault = 'reset' | 'truncate' | 'hang' | 'wrong-length'

export const noBody: Uint8Array = new Uint8Array()

/** Statuses whose responses have no body and no Content-Length (RFC 9110, 15.3.5 and 15.4.5). */
export const isBodiless = (status: number): boolean => status === 204 || status === 304

/** The value of Content-Length; null: the response has none. */
export const contentLength = ({ status, body, stream }: MockResponse, fault: Fault | null): string | null =>
  isBodiless(status) || stream !== undefined
    ? null
    : String(fault === 'wrong-length' ? body.length + 10 : body.length)

/** The response with this header in the place of all others of its name; `value` null: without any. */
export const withHeader = (response: MockResponse, name: string, value: string | null): MockResponse => ({
  ...response,
  headers: [
    ...response.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...(value === null ? [] : [[name, value] as const]),
  ],
})
