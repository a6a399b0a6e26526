import type { Raw } from '../exchange.ts'
import type { Level } from '../obligation.ts'
import { rawPlaceholders } from '../raw.ts'

/** A valid request, in the parts that malformed ones are put together from. */
export type WireBase = {
  readonly method: string
  readonly target: string
  /** All header lines but `Host` and those that frame the body. */
  readonly lines: readonly string[]
  readonly body: string
}

/**
 * What is asked of the server: `refused`: no 2xx, as nobody knows what was meant; `accepted`: as the valid request;
 * `survived`: no 5xx; `continued`: accepted, and the client was not left waiting for a word; `in-order`: the two
 * answers, as far as there are two; `alone`: at most one answer; `closed`: accepted, and the connection ended;
 * `plain`: an answer that HTTP/1.0 knows; `observed`: anything.
 */
export type WireCheck =
  | 'refused'
  | 'accepted'
  | 'survived'
  | 'continued'
  | 'in-order'
  | 'alone'
  | 'closed'
  | 'plain'
  | 'observed'

/** One way of framing a request otherwise than clients do. */
export type WireKind = {
  readonly name: string
  readonly level: Level
  readonly check: WireCheck
  readonly promise: string
  readonly rfc: string
  readonly make: (base: WireBase) => readonly Raw[]
}

const { host, base: prefix, extra } = rawPlaceholders

type Parts = {
  readonly line?: string
  readonly host?: readonly string[]
  readonly before?: readonly string[]
  readonly framing?: readonly string[]
  readonly body?: string
  readonly newline?: string
}

/** The text of a request: all that is not given is as it should be. */
export const text = (base: WireBase, parts: Parts): string => {
  const { newline = '\r\n', body = base.body } = parts
  const head = [
    parts.line ?? requestLine(base),
    ...(parts.before ?? []),
    ...(parts.host ?? [`Host: ${host}`]),
    ...base.lines,
    ...(parts.framing ?? lengthOf(base, body)),
  ]
  return `${[...head].join(newline)}${newline}${extra}${newline}${body}`
}

const lengthOf = ({ method }: WireBase, body: string): readonly string[] =>
  body === '' && (method === 'GET' || method === 'HEAD') ? [] : [`Content-Length: ${body.length}`]

export const requestLine = ({ method, target }: WireBase): string => `${method} ${prefix}${target} HTTP/1.1`

export const one = (piece: string, more: Partial<Raw> = {}): Raw => ({
  pieces: [piece],
  end: 'later',
  answers: 1,
  ...more,
})

export const variants =
  (...all: readonly Parts[]) =>
  (base: WireBase): readonly Raw[] =>
    all.map(parts => one(text(base, parts)))

export const each =
  (make: (base: WireBase) => readonly Parts[], more: Partial<Raw> = {}) =>
  (base: WireBase): readonly Raw[] =>
    make(base).map(parts => one(text(base, parts), more))

/** Of these an answer is wanted, and a server may take our end for a client that went away. */
const patient: readonly WireCheck[] = ['accepted', 'continued', 'closed', 'in-order', 'plain']

export const kind = (
  name: string,
  level: Level,
  check: WireCheck,
  rfc: string,
  promise: string,
  make: WireKind['make'],
): WireKind => ({
  name,
  level,
  check,
  promise,
  rfc,
  make: base => make(base).map(raw => (patient.includes(check) ? { ...raw, end: 'never' } : raw)),
})
