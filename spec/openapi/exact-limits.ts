import { type Json, rawNumber } from '../json/json.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import type { ExactLimits } from '../schema/exact-numbers.ts'
import type { KeywordUse } from '../schema/locations.ts'
import type { Sources } from './source-map.ts'

const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** The texts of all limits of a document that a double cannot hold, such as `maximum: 9223372036854775807`. */
export const exactLimits = (document: object, sources: Sources): ExactLimits => {
  const found = new Map<object, Map<string, string>>()
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'number') {
        if (!keywords.includes(key) || isExact(value)) continue
        // In a 3.0 document, an exclusive limit is a flag, and the number is in the other keyword.
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

/** Gives the value at a pointer with its numbers exactly as they are written. */
export type Exact = (pointer: Pointer) => Json | undefined

/** The value of a keyword, with a number that a double cannot hold as it is written. */
export const asWritten = ({ value, pointer }: KeywordUse, exact: Exact): unknown =>
  typeof value === 'number' && !isExact(value) ? (exact(pointer) ?? value) : value

/** The value at a pointer, with raw numbers where a double cannot hold them. */
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
