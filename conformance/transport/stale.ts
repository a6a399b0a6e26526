/** No server gives up connections that were idle for less, but to end them on purpose. */
const shortIdleMs = 50
/** That often it may be chance all the same. */
const chances = 3

/**
 * Whether the end of a used connection, without a byte of an answer, is to be overlooked: a server may close an idle
 * connection at any time (RFC 9112 9.5), also while the next request is on its way, and from here that looks like a
 * request that was dropped. One that ends connections again and again that were idle for no time at all drops requests.
 */
export type Excuse = (idleMs: number) => boolean

export const createExcuse = (): Excuse => {
  let left = chances
  return idleMs => idleMs >= shortIdleMs || left-- > 0
}
