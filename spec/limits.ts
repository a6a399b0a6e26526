import type { ExactLimits } from './exact.ts'
import { type Json, rawNumber } from './json.ts'
import { type Pointer, step, valueAt } from './pointer.ts'
import type { Sources } from './source.ts'

const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** Finds the limits of a document that a double cannot hold, such as `maximum: 9223372036854775807`, with their text. */
export const exactLimits = (document: object, sources: Sources): ExactLimits => {
  const found = new Map<object, Map<string, string>>()
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'number') {
        if (!keywords.includes(key) || isExact(value)) continue
        // What a 3.0 document calls exclusive by a flag has its number in the other keyword.
        const text =
          digits(sources.text(step(at, key))) ??
          digits(sources.text(step(at, key.replace('exclusiveM', 'm'))))
        if (text !== null) found.set(node, (found.get(node) ?? new Map()).set(key, text))
      } else visit(value, step(at, key))
    }
  }
  visit(document, '')
  return found
}

const digits = (text: string | null): string | null => (text !== null && /^-?\d+$/.test(text) ? text : null)

const isExact = (value: number): boolean => Number.isSafeInteger(value) || Math.abs(value) < 2 ** 53

/** The value at a pointer, with the text of each number that a double cannot hold. */
export const exactValue = (document: object, sources: Sources, pointer: Pointer): Json | undefined => {
  const read = (value: unknown, at: Pointer): Json => {
    if (typeof value === 'number') {
      const text = isExact(value) ? null : digits(sources.text(at))
      return text === null ? value : rawNumber(text)
    }
    if (Array.isArray(value)) return value.map((item, index) => read(item, step(at, index)))
    if (typeof value !== 'object' || value === null) return value as Json
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, read(child, step(at, name))]),
    )
  }
  const value = valueAt(document, pointer)
  return value === undefined ? undefined : read(value, pointer)
}
