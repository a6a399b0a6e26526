import type { Secret } from '../spec/index.ts'
import { extrasOf, withExtra } from './extra-headers.ts'
import type { RunOptions } from './run-options.ts'
import { createTransport, type Transport } from './transport/index.ts'
import { recorded } from './transport/recorded.ts'

export type Connecting = {
  readonly token: string
  readonly secrets: readonly Secret[]
  /** When the run began, on the clock of `performance.now`. */
  readonly began: number
}

/** The way to the server under test; it tells all that is sent where somebody wants to know, and costs nothing else. */
export const connect = (
  { target, access, onExchange }: RunOptions,
  { token, secrets, began }: Connecting,
): Transport => {
  const transport = createTransport({ base: target, token, access })
  if (onExchange === null) return transport
  const extras = extrasOf(access)
  return recorded(transport, {
    secrets,
    began,
    tell: sent => onExchange({ ...sent, request: withExtra(sent.request, extras) }),
  })
}
