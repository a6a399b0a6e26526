import { compilePattern, type Pattern } from '../../spec/index.ts'
import { throwUnsupported } from './unsupported.ts'

const compiled = new Map<string, Pattern>()

/** A `pattern` as JSON Schema reads it: ECMA-262, in Unicode mode, matching anywhere in the text. */
export const regExpOf = (pattern: string): Pattern => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  try {
    const made = compilePattern(pattern)
    compiled.set(pattern, made)
    return made
  } catch {
    return throwUnsupported(`the pattern ${pattern} is not a regular expression`)
  }
}
