import { refuse } from './refusal.ts'

const known = new Map<string, RegExp>()

/** The pattern as JSON Schema reads it: ECMA-262, Unicode mode, matched anywhere in the text. */
export const expression = (pattern: string): RegExp => {
  const found = known.get(pattern)
  if (found !== undefined) return found
  try {
    const made = new RegExp(pattern, 'u')
    known.set(pattern, made)
    return made
  } catch {
    return refuse(`the pattern ${pattern} is not a regular expression`)
  }
}
