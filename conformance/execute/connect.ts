import type { RunOptions } from '../options/run-options.ts'
import { additionsOf, withExtraHeaders } from '../send/redaction.ts'
import { createTransport, type Transport } from '../send/transport/index.ts'
import { recorded } from '../send/transport/recorded.ts'
import type { RunClock } from './run-clock.ts'

/** Opens the way to the server under test. Exchanges are recorded only if somebody wants them. */
export const connect = (options: RunOptions, { began }: RunClock): Transport => {
  const transport = createTransport({ ...options, token: options.token.value })
  const { onExchange, secrets } = options
  if (onExchange === null) return transport
  const additions = additionsOf(options)
  return recorded(transport, {
    secrets,
    began,
    onExchange: exchange =>
      onExchange({ ...exchange, request: withExtraHeaders(exchange.request, additions) }),
  })
}
