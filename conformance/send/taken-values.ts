/** What servers say of values that they have taken before. */
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
