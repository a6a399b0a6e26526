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
import type { RandomSource } from '../domains/language.ts'
import { fc } from './fast-check.ts'

/** How to draw values, how to recognise them, and one to fall back on if drawing fails. */
type Recipe = {
  readonly draw: (source: RandomSource) => Json | undefined
  readonly accepts: (value: Json) => boolean
  readonly witness: Json
}

const mostAttempts = 25

// A class, because fast-check accepts new arbitraries in no other form. Its own `filter` may try forever; here the attempts
// are limited, and shrinking needs nothing but the value.
class JsonArbitrary extends fc.Arbitrary<Json> {
  readonly recipe: Recipe

  constructor(recipe: Recipe) {
    super()
    this.recipe = recipe
  }

  override generate(random: fc.Random): fc.Value<Json> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const value = this.recipe.draw(random)
      if (value !== undefined && this.recipe.accepts(value)) return new fc.Value(value, undefined)
    }
    return new fc.Value(this.recipe.witness, undefined)
  }

  override canShrinkWithoutContext(value: unknown): value is Json {
    return this.recipe.accepts(value as Json)
  }

  override shrink(value: Json): fc.Stream<fc.Value<Json>> {
    const { accepts } = this.recipe
    return fc.stream(simpler(value).filter(accepts)).map(smaller => new fc.Value(smaller, undefined))
  }
}

/** An arbitrary of a recipe's values. The recipe accepts every value that it draws or shrinks to. */
export const jsonArbitrary = (recipe: Recipe): fc.Arbitrary<Json> => new JsonArbitrary(recipe)

const mostParts = 24

/** Simpler values than this one, the simplest first. Every chain of them ends. */
function* simpler(value: Json): Generator<Json> {
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
