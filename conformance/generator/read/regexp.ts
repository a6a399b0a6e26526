import { throwUnsupported } from './unsupported.ts'

const compiled = new Map<string, RegExp>()

/** A `pattern` as JSON Schema reads it: ECMA-262, in Unicode mode, matching anywhere in the text. */
export const regExpOf = (pattern: string): RegExp => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  try {
    const made = new RegExp(pattern, 'u')
    compiled.set(pattern, made)
    return made
  } catch {
    return throwUnsupported(`the pattern ${pattern} is not a regular expression`)
  }
}
