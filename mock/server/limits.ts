/** How much of the server's time a client may take, in milliseconds; sizes are `maxBodyBytes` and `maxHeadBytes`. */
export type Limits = {
  /** From the opening of a connection, or the response before, to the end of a request's head. */
  readonly headersMs: number
  /** For a whole request, with its body. */
  readonly requestMs: number
  /** For a used connection that waits for another request. */
  readonly idleMs: number
  /** For a response of which the client reads nothing. */
  readonly stalledMs: number
  /** For requests that have begun when the mock closes. */
  readonly closeMs: number
}

export const defaultLimits: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  stalledMs: 30_000,
  closeMs: 2000,
}

/** Request line and header fields together, or trailer fields, of any number. */
export const maxHeadBytes: number = 16 * 1024
