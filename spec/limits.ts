import type { ExactLimits } from './exact.ts'
import { type Pointer, step } from './pointer.ts'
import type { Sources } from './source.ts'

const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** Finds the limits of a document that a double cannot hold, such as `maximum: 9223372036854775807`, with their text. */
export const exactLimits = (document: object, sources: Sources): ExactLimits => {
  const found = new Map<object, Map<string, string>>()
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'number') {
        if (!keywords.includes(key) || Number.isSafeInteger(value) || Math.abs(value) < 2 ** 53) continue
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
