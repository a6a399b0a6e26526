import { canonicalNumber } from './decimal.ts'
import { excessIn } from './scan.ts'

/**
 * JSON read and written without loss. A number whose text JavaScript would print the same way is a plain
 * `number`; any other (`1.0`, `-0`, `1e3`, 9223372036854775807) is a `RawNumber` that keeps its text.
 */
// An interface, unlike a type, is not taken for a JSON object by the compiler.
export interface RawNumber {
  readonly rawJSON: string
}
export type Json =
  | null
  | boolean
  | number
  | string
  | RawNumber
  | readonly Json[]
  | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export type JsonReading =
  | { readonly ok: true; readonly value: Json; readonly text: string; readonly bom: boolean }
  /** `isBeyondLimits`: it may be JSON, but is deeper or longer than this reader takes. */
  | { readonly ok: false; readonly problem: string; readonly isBeyondLimits?: true }

/** The number with exactly this text; a plain number if that loses nothing. Throws SyntaxError on other text. */
export const rawNumber = (text: string): number | RawNumber => {
  const value = Number(text)
  return String(value) === text ? value : JSON.rawJSON(text)
}

export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value)

export const isNumber = (value: Json): value is number | RawNumber =>
  typeof value === 'number' || isRawNumber(value)

/** The number as it is, or would be, written in JSON. */
export const numberText = (value: number | RawNumber): string =>
  typeof value === 'number' ? (Object.is(value, -0) ? '-0' : String(value)) : value.rawJSON

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const typeOf = (value: Json): JsonType =>
  value === null
    ? 'null'
    : isNumber(value)
      ? 'number'
      : isArray(value)
        ? 'array'
        : (typeof value as 'boolean' | 'string' | 'object')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A number that a double may not give back, where a text has numbers: at its start, in a list, or after a name. A string may hold
 * what looks like one, which costs time only.
 */
const unusualNumber =
  /(?:^|[[,]|"[ \t\n\r]*:)[ \t\n\r]*(-?(?:0[.eE]|[1-9](?:[0-9]*[.eE]|[0-9]{15}))[0-9.eE+-]*|-0)/
const unusualNumbers = new RegExp(unusualNumber, 'g')

const holdsRawNumber = (text: string): boolean => {
  // Most texts have none, and looking for all of them takes longer than looking for one.
  if (!unusualNumber.test(text)) return false
  for (const [, number = ''] of text.matchAll(unusualNumbers))
    if (String(Number(number)) !== number) return true
  return false
}

/** Parses the text of one JSON value (RFC 8259, nothing more lenient). */
export const parseJson = (text: string): Json => {
  // A reviver makes the parser many times slower, and hardly any text needs it.
  if (holdsRawNumber(text))
    return JSON.parse(text, (_name, value, { source }) =>
      typeof value === 'number' && source !== undefined ? rawNumber(source) : value,
    ) as Json
  const value = JSON.parse(text) as Json
  if (text.length > largeText && typeof value === 'object' && value !== null) plainValues.add(value)
  return value
}

const largeText = 1000
/** Large values without a raw number: nobody has to look through them for one. */
const plainValues = new WeakSet<object>()

/** Whether a value is known to hold no raw number; of small values, and of those that were not parsed, it is not. */
export const isKnownPlain = (value: Json): boolean =>
  typeof value === 'object' && value !== null && plainValues.has(value)

/** Reads one JSON value from bytes: strict UTF-8, strict grammar. A byte order mark is skipped, and noted. */
export const readJson = (bytes: Uint8Array): JsonReading => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { ok: false, problem: 'the body is not valid UTF-8' }
  }
  const bom = text.charCodeAt(0) === 0xfeff
  if (bom) text = text.slice(1)
  const written = text.trimEnd()
  if (written === '') return { ok: false, problem: 'the body is empty' }
  const excess = excessIn(written)
  if (excess !== null) return { ok: false, problem: excess, isBeyondLimits: true }
  try {
    return { ok: true, value: parseJson(text), text, bom }
  } catch (error) {
    return { ok: false, problem: `the body is not JSON: ${syntaxProblem(text, error as SyntaxError)}` }
  }
}

const syntaxProblem = (text: string, error: SyntaxError): string => {
  const position = /at position (\d+)/.exec(error.message)?.[1]
  if (position === undefined)
    return /end of JSON|Unterminated/.test(error.message)
      ? `it ends too early, after ${text.length} characters`
      : 'unexpected text'
  const at = Number(position)
  if (at >= text.length) return `it ends too early, after ${text.length} characters`
  return `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} at character ${at + 1}`
}

export const writeJson = (value: Json): string => JSON.stringify(value)

/** Whether both are the same JSON value: numbers by value (1 equals 1.0), objects in any order. */
export const sameJson = (left: Json, right: Json): boolean =>
  typeof left === 'string' || typeof right === 'string'
    ? left === right
    : canonical(left) === canonical(right)

/** One text for each JSON value: names sorted, numbers normalized. */
export const canonical = (value: Json): string => {
  if (isNumber(value)) return canonicalNumber(numberText(value))
  if (isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (isObject(value))
    return `{${Object.keys(value)
      .sort()
      .map(name => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`)
      .join(',')}}`
  return JSON.stringify(value)
}
