import { isArray, isNumber, isObject, type Json, numberText, rawNumber, sameJson } from '../spec/index.ts'

/** Smaller values in the likeness of one, the smallest first. Bounded in number, so that shrinking stays cheap. */
export function* smaller(value: Json): Generator<Json> {
  if (typeof value === 'string') yield* smallerText(value)
  else if (isNumber(value)) yield* smallerNumber(numberText(value))
  else if (isArray(value)) {
    if (value.length > 0) yield []
    if (value.length > 1) yield value.slice(0, Math.floor(value.length / 2))
    for (const [index] of value.entries())
      if (value.length > 1) yield value.filter((_, other) => other !== index)
    for (const [index, item] of value.entries())
      for (const less of smaller(item)) yield value.map((own, other) => (other === index ? less : own))
  } else if (isObject(value)) {
    const names = Object.keys(value)
    for (const name of names) yield Object.fromEntries(Object.entries(value).filter(([own]) => own !== name))
    for (const name of names)
      for (const less of smaller(value[name] as Json))
        yield Object.fromEntries(
          Object.entries(value).map(([own, item]) => [own, own === name ? less : item]),
        )
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

export type Shrunk<T> = { readonly smallest: T; readonly tries: number }

/** Follows `smaller` as long as `fails` holds, within a number of tries. */
export const shrink = async <T extends { readonly body: Json | undefined }>(
  start: T,
  fails: (candidate: Json) => Promise<T | null>,
  limit: number,
): Promise<Shrunk<T>> => {
  let smallest = start
  let tries = 0
  for (let progress = true; progress && tries < limit; ) {
    progress = false
    if (smallest.body === undefined) break
    for (const candidate of smaller(smallest.body)) {
      if (tries >= limit) break
      if (sameJson(candidate, smallest.body)) continue
      tries += 1
      const next = await fails(candidate)
      if (next !== null) {
        smallest = next
        progress = true
        break
      }
    }
  }
  return { smallest, tries }
}
