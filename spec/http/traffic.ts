import type { Failure, Headers, HttpResponse } from './exchange.ts'

/** A request that a file has recorded, and what came of it. Credentials may be placeholders. */
export type TrafficEntry = {
  /** Where the file has it: `log.entries[3]`. */
  readonly place: string
  readonly method: string
  /** `https://shop.test:8443`; empty: the URL is not of http or https. */
  readonly origin: string
  /** Path and query, as they were sent. */
  readonly target: string
  readonly headers: Headers
  /** Without content codings; null: there is none. */
  readonly body: Uint8Array | null
  /** Whether the file has less of the body than was sent. */
  readonly isBodyCut: boolean
  /** Without content codings; null: there is none. */
  readonly response: HttpResponse | null
  /** Why there is no whole response, if it is known that the server is at fault; null: it is not. */
  readonly failure: { readonly kind: Failure; readonly detail: string } | null
  /** Why the response says nothing of the server, or not to its end; null: it does. */
  readonly unjudged: string | null
  readonly ms: number
  /** Whether credentials that are missing were not sent; otherwise whoever wrote the file may have left them out. */
  readonly hasCredentials: boolean
}
