import type { RawRequest } from '../../../http/exchange.ts'
import { rawPlaceholders } from '../../../http/raw.ts'
import type { Level } from '../../obligation.ts'

/** The parts of a valid request that malformed ones are made from. */
export type MalformedHttpBase = {
  readonly method: string
  readonly target: string
  /** All header lines except `Host` and those that frame the body. */
  readonly lines: readonly string[]
  readonly body: string
}

/**
 * What the server has to do. `rejected`: no 2xx; `accepted`: the same as for the valid request; `survived`: no 5xx;
 * `continued`: accept, and send 100 Continue or a response before the body; `in-order`: answer both requests in order, or
 * close the connection; `alone`: at most one response; `closed`: accept, and close the connection; `plain`: a response
 * that HTTP/1.0 knows; `observed`: anything.
 */
export type MalformedHttpCheck =
  | 'rejected'
  | 'accepted'
  | 'survived'
  | 'continued'
  | 'in-order'
  | 'alone'
  | 'closed'
  | 'plain'
  | 'observed'

/** A way of writing a request that most HTTP clients would not choose. */
export type MalformedHttpKind = {
  readonly name: string
  readonly level: Level
  readonly check: MalformedHttpCheck
  /** What is sent, as a noun phrase: «a malformed request line». */
  readonly input: string
  readonly rfc: string
  readonly make: (base: MalformedHttpBase) => readonly RawRequest[]
}

const { host, base: prefix, extra } = rawPlaceholders

/** What a request deviates in from the valid one. */
type Deviation = {
  readonly line?: string
  readonly host?: readonly string[]
  readonly before?: readonly string[]
  readonly framing?: readonly string[]
  readonly body?: string
  readonly newline?: string
}

/** The text of a request: the valid one except for the deviation. */
export const text = (base: MalformedHttpBase, deviation: Deviation): string => {
  const { newline = '\r\n', body = base.body } = deviation
  const head = [
    deviation.line ?? requestLine(base),
    ...(deviation.before ?? []),
    ...(deviation.host ?? [`Host: ${host}`]),
    ...base.lines,
    ...(deviation.framing ?? lengthOf(base, body)),
  ]
  return `${[...head].join(newline)}${newline}${extra}${newline}${body}`
}

const lengthOf = ({ method }: MalformedHttpBase, body: string): readonly string[] =>
  body === '' && (method === 'GET' || method === 'HEAD') ? [] : [`Content-Length: ${body.length}`]

export const requestLine = ({ method, target }: MalformedHttpBase): string =>
  `${method} ${prefix}${target} HTTP/1.1`

export const one = (piece: string, more: Partial<RawRequest> = {}): RawRequest => ({
  pieces: [piece],
  end: 'later',
  responses: 1,
  ...more,
})

export const variants =
  (...deviations: readonly Deviation[]) =>
  (base: MalformedHttpBase): readonly RawRequest[] =>
    deviations.map(deviation => one(text(base, deviation)))

export const each =
  (make: (base: MalformedHttpBase) => readonly Deviation[], more: Partial<RawRequest> = {}) =>
  (base: MalformedHttpBase): readonly RawRequest[] =>
    make(base).map(deviation => one(text(base, deviation), more))

/** The client keeps its side open, as these need a response, and a server may take our end for a client that left. */
const patient: readonly MalformedHttpCheck[] = ['accepted', 'continued', 'closed', 'in-order', 'plain']

export const kind = (
  name: string,
  level: Level,
  check: MalformedHttpCheck,
  rfc: string,
  input: string,
  make: MalformedHttpKind['make'],
): MalformedHttpKind => ({
  name,
  level,
  check,
  input,
  rfc,
  make: base => make(base).map(raw => (patient.includes(check) ? { ...raw, end: 'never' } : raw)),
})

/** Milliseconds between parts that a server must not take for the whole: enough for it to read them one by one. */
const pauseMs = 15

/** The request in parts. `cutsOf`: where a part ends, in a text whose body starts at `bodyAt`. */
export const inParts =
  (cutsOf: (text: string, bodyAt: number) => readonly number[]) =>
  (base: MalformedHttpBase): readonly RawRequest[] => {
    const whole = text(base, {})
    const cuts = cutsOf(whole, whole.length - base.body.length).filter(cut => cut > 0 && cut < whole.length)
    const pieces = [0, ...cuts].map((from, index) => whole.slice(from, cuts[index]))
    return [{ pieces, pauseMs, end: 'later', responses: 1 }]
  }

/** Transfer-Encoding: chunked, written by hand (RFC 9112 7.1). */
export const chunked = ['Transfer-Encoding: chunked']
export const chunk = (body: string, size = body.length.toString(16), after = '\r\n'): string =>
  `${size}\r\n${body}${after}`
export const last = '0\r\n\r\n'
