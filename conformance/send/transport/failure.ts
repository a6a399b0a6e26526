import type { Failure, Outcome } from '../../../spec/index.ts'

const failures: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  NO_CONNECTION: 'unreachable',
  NO_RESPONSE: 'timeout',
  TOO_LARGE: 'too-large',
  NOT_HTTP: 'malformed',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  HPE_HEADER_OVERFLOW: 'too-large',
}

/** Messages of undici and node, and how they read here. */
const messages: Readonly<Record<string, string>> = {
  'other side closed': 'the connection was closed',
  'socket hang up': 'the connection was closed',
  aborted: 'the connection was closed',
  'Headers Overflow Error': 'the header fields are larger than the limit',
  'Parse Error: Header overflow': 'the header fields are larger than the limit',
  'bad upgrade': 'the server switched to another protocol without being asked',
}

/** `400D…:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:…` */
const openssl = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/

const mostCauses = 5

/** Whether a request got no response in time. A server that refuses connections does not hang: it is gone. */
export const isHanging = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && outcome.failure === 'timeout'

/** Whether nobody took the connection. */
export const isRefused = (outcome: Outcome): outcome is Extract<Outcome, { kind: 'failure' }> =>
  outcome.kind === 'failure' && outcome.failure === 'refused'

/** An error as a failure: its kind, and one line about it. */
export const failureOf = (error: unknown): { readonly failure: Failure; readonly detail: string } => {
  const causes: Error[] = []
  for (
    let at: unknown = error;
    at instanceof Error && causes.length < mostCauses;
    at = at.cause ?? (at as AggregateError).errors?.[0]
  )
    causes.push(at)
  const message = causes[0]?.message || causes[1]?.message || String(error)
  const detail = messages[message] ?? openssl.exec(message)?.[1] ?? message
  if (message === 'bad upgrade') return { failure: 'malformed', detail }
  for (const cause of causes) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const known = failures[code]
    if (known !== undefined) return { failure: known, detail: detail || code }
    if (code.startsWith('HPE_') || cause.name === 'HTTPParserError') return { failure: 'malformed', detail }
    if (/CERT|TLS|SSL/.test(code)) return { failure: 'unreachable', detail }
  }
  return { failure: 'reset', detail }
}

/** Whether there was no response although the server may have got the request. */
export const mayHaveArrived = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && outcome.failure !== 'refused' && outcome.failure !== 'unreachable'

/** Why a request shows nothing that hung while the server may have been busy with another one. */
export const unresolved = {
  cut: 'it hung while the server answered nothing at all, and the time was up before it could be sent again alone',
  together: 'it hung together with others, and the server answered nothing else meanwhile',
  similar: 'it hung while the server answered nothing at all, because of another request of the operation',
} as const
