import {
  isArray,
  isNumber,
  isObject,
  type Json,
  type Outcome,
  type Pointer,
  statusOf,
  step,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import { isConflict } from '../pool/rejection-words.ts'

/** What servers say of values that they have taken before. */

/** Properties that are tried, and how deep they are. */
const mostPlaces = 16
const deepest = 3

/** A server says nothing of values with these statuses. */
const ofOther = new Set([401, 403, 405, 406, 408, 411, 413, 414, 415, 417, 426, 428, 429, 431])

/** Whether a rejection may be for a value of the body: with 403 only if it names the value, as a server error only if it says so. */
export const mayBeConflict = (outcome: Outcome, body: Json | undefined): boolean => {
  const status = statusOf(outcome)
  if (status >= 500) return isConflict(outcome)
  if (status < 400) return false
  return !ofOther.has(status) || (status === 403 && namesValueOf(outcome, body))
}

const namesValueOf = (outcome: Outcome, body: Json | undefined): boolean => {
  const text = textOf(outcome)
  return scalarPlaces(body).some(place => {
    const written = writtenIn(body, place)
    const isNamed = (form: string): boolean => text.includes(form)
    return written.length >= fewestNamed
      ? isNamed(written)
      : written !== '' && quotes.some(quote => isNamed(`${quote}${written}${quote}`))
  })
}

/** Shorter values stand in any text by chance, but not in quotation marks. */
const fewestNamed = 4
const quotes = ["'", '"', '\\"', '`']

export const isScalar = (value: Json): value is string | number =>
  typeof value === 'string' || isNumber(value)

export const scalarPlaces = (body: Json | undefined): readonly Pointer[] => {
  const found: Pointer[] = []
  const visit = (value: Json, place: Pointer, depth: number): void => {
    if (found.length >= mostPlaces) return
    if (isScalar(value)) found.push(place)
    else if (isObject(value) && !isArray(value) && depth < deepest)
      for (const [name, member] of Object.entries(value)) visit(member, step(place, name), depth + 1)
  }
  if (isObject(body)) visit(body, '', 0)
  return found
}

export const valueIn = (body: Json | undefined, place: Pointer): Json | undefined =>
  body === undefined ? undefined : (valueAt(body, place) as Json | undefined)

/** What a server says of values that were taken before: its text, with a mark for each of them. */
export type Answer = { readonly status: number; readonly text: string; readonly places: readonly Pointer[] }

const markOf = (index: number): string => `\u{fdd0}${index}\u{fdd0}`

/** As JSON writes it in a text. */
const writtenIn = (body: Json | undefined, place: Pointer): string => {
  const value = valueIn(body, place)
  if (typeof value === 'string') return JSON.stringify(value).slice(1, -1)
  // Servers say 0 where -0 was sent.
  const text = writeJson(value ?? null)
  return text === '-0' ? '0' : text
}

const textOf = (outcome: Outcome): string =>
  outcome.kind === 'failure' ? '' : new TextDecoder().decode(outcome.response.body)

export const answerTo = (body: Json | undefined, outcome: Outcome, unique: ReadonlySet<Pointer>): Answer => {
  const places = [...unique]
  const text = places.reduce(
    (marked, place, index) => marked.replaceAll(writtenIn(body, place), markOf(index)),
    textOf(outcome),
  )
  return { status: statusOf(outcome), text, places }
}

export const isAnswer = (
  { status, text, places }: Answer,
  body: Json | undefined,
  outcome: Outcome,
): boolean =>
  outcome.kind === 'response' &&
  outcome.response.status === status &&
  textOf(outcome) ===
    places.reduce((filled, place, index) => filled.replaceAll(markOf(index), writtenIn(body, place)), text)

/** Values that take the place of one that a server takes only once. */

/** Values beside this one that are likely to be of its kind: with more at its end or its beginning, of its length, or generated. */
export function* otherValues(
  value: string | number,
  salt: number,
  counter: number,
  generated: (index: number) => Json | undefined,
): Generator<Json> {
  const number = salt * 4096 + counter
  if (typeof value === 'string') {
    const letters = lettersOf(number)
    if (/^\d+$/.test(value)) yield String(100_000_000 + (number % 100_000_007))
    // What comes after the dot of a domain is not free.
    if (/^[a-z0-9]+[.@][a-z0-9.]+$/i.test(value)) yield value.replace(/[.@]/, mark => `${letters}${mark}`)
    yield `${value}${letters}`
    yield `${letters}${value}`
    yield `${value}${number % 1_000_000_007}`
    const kept = Math.max(0, value.length - letters.length)
    yield `${value.slice(0, kept)}${letters.slice(-(value.length - kept))}`
    yield `${letters}-${value}`
  } else {
    // Generated numbers are often the small ones that come again and again.
    yield 1_000_000_000 + (number % 1_000_000_007)
    yield 10_000 + (number % 20_011)
  }
  for (let index = 0; index < 4; index++) {
    const other = generated(1_000_000 + ((number * 4 + index) % 1_000_000))
    if (other !== undefined && other !== value) yield other
  }
}

/** Texts of the kind of this one: of the same characters if they are all alike, JSON if it is, and else with more at its end. */
export function* alikeValues(
  value: string | number,
  salt: number,
  counter: number,
  hasLength: boolean,
): Generator<Json> {
  if (typeof value !== 'string') return
  const number = salt * 4096 + counter
  const letters = lettersOf(number)
  if (hasLength) {
    const kept = Math.max(0, value.length - letters.length)
    yield `${value.slice(0, kept)}${letters.slice(kept - value.length)}`
  } else if (/^\s*$/u.test(value)) {
    yield `${value}${[...number.toString(2).slice(-24)].map(bit => (bit === '1' ? '  ' : ' \u2003')).join('')}`
    yield ' '.repeat(2 + (number % 50))
  } else if (/^-?[\d.]+$/.test(value)) yield `${value}${number % 1_000_000_007}`
  else if (/^[[{]/.test(value)) yield JSON.stringify([value, letters])
  else {
    yield `${value}${letters}`
    yield `${letters}${value}`
  }
}

/** A number in plain letters, of which the last differ most. */
const lettersOf = (number: number): string => {
  let text = ''
  for (let rest = Math.abs(Math.floor(number)); rest > 0; rest = Math.floor(rest / 26))
    text = String.fromCharCode(97 + (rest % 26)) + text
  return text.slice(-9)
}
