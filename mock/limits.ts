/** What a client may take of the server's time, in milliseconds; its sizes are `maxBodyBytes` and `maxHeadBytes`. */
export type Limits = {
  /** A request's head must be whole within this time after its connection or the answer before it. */
  readonly headersMs: number
  /** A whole request, with its body. */
  readonly requestMs: number
  /** A connection that was used and waits for another request. */
  readonly idleMs: number
  /** An answer of which the client takes nothing. */
  readonly stalledMs: number
  /** How long requests that have begun are waited for when the mock closes. */
  readonly closeMs: number
}

export const defaultLimits: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  stalledMs: 30_000,
  closeMs: 2000,
}

/** Request line and header fields together, and trailer fields; as many fields as fit. */
export const maxHeadBytes: number = 16 * 1024
