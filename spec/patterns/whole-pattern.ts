import { compilePattern, type Pattern } from './pattern.ts'

/**
 * A pattern without anchors may match anywhere in a text, but most servers read it as the whole text: so valid texts are made to match
 * as a whole, which suits both. The same pattern comes back if its author shows to know anchors, or asks for some character only, as `\S`
 * does.
 */
export const wholePattern = (pattern: string): string => {
  const outside = pattern.replace(/\\[^bB]|\[(?:\\.|[^\]\\])*\]?/gs, 'x')
  const isAnchored = /[\^$]|\\[bB]|\(\?<?[=!]/.test(outside)
  return isAnchored || isAnythingBut.test(pattern) ? pattern : `^(?:${pattern})$`
}

const isAnythingBut = /^(?:\.|\\[SDW]|\[\^(?:\\.|[^\]\\])*\])$/s

type Keywords = { readonly keywords: readonly { readonly keyword: string; readonly value: unknown }[] }

/** How a text matches the patterns of a place: some servers do not look for a match inside a text. */
export const matchOf = ({ keywords }: Keywords, text: string): 'whole' | 'part' | null => {
  const patterns = keywords.flatMap(({ keyword, value }) =>
    keyword === 'pattern' && typeof value === 'string' ? [value] : [],
  )
  if (patterns.every(pattern => compiled(wholePattern(pattern)).test(text))) return 'whole'
  return patterns.every(pattern => compiled(pattern).test(text)) ? 'part' : null
}

// The same few patterns are asked for with every case.
const known = new Map<string, Pattern>()

const compiled = (pattern: string): Pattern => {
  const made = known.get(pattern) ?? compilePattern(pattern)
  known.set(pattern, made)
  return made
}
