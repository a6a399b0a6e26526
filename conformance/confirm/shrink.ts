import { isArray, isNumber, isObject, type Json, numberText, rawNumber, sameJson } from '../../spec/index.ts'

/** Smaller values like a given one, the smallest first. There are few, so that shrinking stays cheap. */
export function* smaller(value: Json): Generator<Json> {
  if (typeof value === 'string') yield* smallerText(value)
  else if (isNumber(value)) yield* smallerNumber(numberText(value))
  else if (isArray(value)) {
    if (value.length > 0) yield []
    if (value.length > 1) yield value.slice(0, Math.floor(value.length / 2))
    for (const [index] of value.entries())
      if (value.length > 1) yield value.filter((_, other) => other !== index)
    for (const [index, item] of value.entries())
      for (const less of smaller(item)) yield value.with(index, less)
  } else if (isObject(value)) {
    const names = Object.keys(value)
    for (const name of names)
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
    for (const name of names)
      for (const less of smaller(value[name] as Json)) yield { ...value, [name]: less }
  } else if (value === true) yield false
}

function* smallerText(text: string): Generator<Json> {
  const chars = [...text]
  if (chars.length === 0) return
  yield ''
  if (chars.length > 1) {
    // Halves, then single characters: what matters is often one of them.
    yield chars.slice(0, Math.ceil(chars.length / 2)).join('')
    yield chars.slice(Math.ceil(chars.length / 2)).join('')
    if (chars.length > 64) yield chars.slice(0, Math.ceil((chars.length * 3) / 4)).join('')
    if (chars.length <= 12)
      for (const index of chars.keys()) yield chars.filter((_, other) => other !== index).join('')
    else yield chars.slice(0, -1).join('')
    if (chars.length > 64) yield 'x'.repeat(chars.length)
  }
  // One letter for all others.
  else if (text !== 'a' && /[a-z]/i.test(text)) yield 'a'
}

function* smallerNumber(text: string): Generator<Json> {
  for (const simple of ['0', '1', '-1', '1.5'])
    if (simple !== text && simple.length < text.length) yield rawNumber(simple)
  if (/^-?\d{3,15}$/.test(text)) yield rawNumber(String(Math.trunc(Number(text) / 10)))
}

/** Replaces a body by smaller ones as long as `fails` gives a result, with this many tries at most. */
export const shrink = async <T extends { readonly body: Json | undefined }>(
  start: T,
  fails: (candidate: Json) => Promise<T | null>,
  mostTries: number,
): Promise<T> => {
  let smallest = start
  let tries = 0
  for (let isSmaller = true; isSmaller && smallest.body !== undefined; ) {
    isSmaller = false
    for (const candidate of smaller(smallest.body)) {
      if (tries >= mostTries) return smallest
      if (sameJson(candidate, smallest.body)) continue
      tries += 1
      const next = await fails(candidate)
      if (next === null) continue
      smallest = next
      isSmaller = true
      break
    }
  }
  return smallest
}
