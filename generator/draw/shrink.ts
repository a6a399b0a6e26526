import {
  decimal,
  isArray,
  isInteger,
  isNumber,
  isObject,
  type Json,
  numberText,
  rawNumber,
} from '../../spec/index.ts'

const mostParts = 24

/** Simpler values than this one, the simplest first. Every chain of them ends. */
export function* simpler(value: Json): Generator<Json> {
  if (value === true) yield false
  else if (typeof value === 'string') yield* simplerText(value)
  else if (isNumber(value)) yield* simplerNumber(numberText(value))
  else if (isArray(value)) yield* simplerArray(value)
  else if (isObject(value)) yield* simplerObject(value)
}

function* simplerText(text: string): Generator<string> {
  const chars = [...text]
  // Never the empty string: it is a boundary of its own, and often fails for another reason.
  if (chars.length > 1) yield 'a'
  for (let cut = Math.floor(chars.length / 2); cut > 0; cut = Math.floor(cut / 2))
    yield chars.slice(0, chars.length - cut).join('')
  if (chars.length > 1) yield chars.slice(1).join('')
  if (chars.some(char => char !== 'a')) yield 'a'.repeat(chars.length)
  for (const [index, char] of chars.slice(0, mostParts).entries())
    if (char !== 'a' && char !== '0') yield chars.with(index, /\d/.test(char) ? '0' : 'a').join('')
}

function* simplerNumber(text: string): Generator<Json> {
  const exact = decimal(text)
  if (exact.coefficient === 0n) return
  yield 0
  if (isInteger(exact) && exact.exponent < 400) {
    const value = exact.coefficient * 10n ** BigInt(exact.exponent)
    for (let step = value / 2n; step !== 0n; step /= 2n) yield rawNumber(String(value - step))
    if (value < 0n) yield rawNumber(String(-value))
    return
  }
  const near = Number(text)
  if (!Number.isFinite(near)) return
  const whole = Math.trunc(near)
  if (Number.isSafeInteger(whole)) yield whole
  // Fewer digits: a number is simple if its text is short.
  for (const places of [1, 2, 4]) {
    const rounded = Number(near.toFixed(places))
    if (String(rounded).length < text.length) yield rounded
  }
  if (near < 0 && text.startsWith('-')) yield rawNumber(text.slice(1))
}

function* simplerArray(items: readonly Json[]): Generator<Json> {
  if (items.length === 0) return
  yield []
  if (items.length > 2) yield items.slice(0, Math.ceil(items.length / 2))
  for (const index of items.keys().take(mostParts)) yield items.toSpliced(index, 1)
  for (const [index, item] of items.slice(0, mostParts).entries())
    for (const smaller of simpler(item)) yield items.with(index, smaller)
}

function* simplerObject(object: { readonly [name: string]: Json }): Generator<Json> {
  const entries = Object.entries(object)
  if (entries.length === 0) return
  yield {}
  for (const index of entries.keys().take(mostParts)) yield Object.fromEntries(entries.toSpliced(index, 1))
  for (const [index, [name, value]] of entries.slice(0, mostParts).entries())
    for (const smaller of simpler(value)) yield Object.fromEntries(entries.with(index, [name, smaller]))
}
