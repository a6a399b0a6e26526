import { inEcmaScript, isLiteral } from './other-dialects.ts'

/**
 * A pattern with the same meaning that is valid in Unicode mode, as JSON Schema reads patterns: `\-` and `\_` become `-` and `_`, a brace
 * that opens no quantifier gets a backslash, and what other dialects have, such as `\A` and `(?i)`, is written as in ECMAScript. Null if
 * there is none.
 */
export const inUnicodeMode = (pattern: string): string | null => {
  // Flags in a pattern are valid since ES2025, but the automata do not know them.
  if (isValid(pattern, 'u') && !flagged.test(pattern) && !isLiteral(pattern)) return pattern
  const translated = inEcmaScript(pattern)
  if (translated === null) return null
  if (isValid(translated, 'u')) return translated
  if (!isValid(translated, '') || isOfOtherDialect(translated)) return null
  const written = rewrite(translated)
  return isValid(written, 'u') ? written : null
}

/** `(?i)`, `(?s-i:` */
const flagged = /\(\?(?:[a-z]{1,8}(?:-[a-z]{1,8})?|-[a-z]{1,8})[:)]/

/**
 * What `inEcmaScript` leaves of Perl, Java, Ruby, .NET, Python and POSIX: an escaped letter without a meaning in ECMAScript (`\h`, `\G`),
 * collating symbols such as `[[.hyphen.]]`, and intersections of classes.
 */
const isOfOtherDialect = (pattern: string): boolean => {
  const single = pattern.replaceAll('\\\\', '')
  return (
    /\\(?![bBcdDfknprsStuvwWxP])[A-Za-z]/.test(single) ||
    (single.match(/[^\]]+\]?/g) ?? []).some(each => /^[^[]*\[(?:.*\[[:.=][^[]*[:.=]\]$|.*&&\[)/s.test(each))
  )
}

const isValid = (pattern: string, flags: string): boolean => {
  try {
    new RegExp(pattern, flags)
    return true
  } catch {
    return false
  }
}

/** What may follow a backslash in Unicode mode. */
const escapable = /[\^$\\.*+?()[\]{}|/dDsSwWbBfnrtvcxukpP0-9]/
const classEscape = /^\\[dDsSwWpP]/

const rewrite = (pattern: string): string => {
  let written = ''
  let inClass = false
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] as string
    if (char === '\\') {
      const next = pattern[at + 1] ?? ''
      written += escapable.test(next) || (inClass && next === '-') ? `\\${next}` : next
      at += 2
      // A range cannot begin with a class: `[\w-.]` has three members.
      if (inClass && classEscape.test(`\\${next}`) && pattern[at] === '-' && pattern[at + 1] !== ']') {
        written += '\\-'
        at += 1
      }
      continue
    }
    const rest = pattern.slice(at)
    if (inClass) {
      if (char === ']') inClass = false
      // Nor can it end with one.
      written += char === '-' && classEscape.test(rest.slice(1)) ? '\\-' : char
      at += 1
      continue
    }
    const quantifier = /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0]
    if (quantifier !== undefined) {
      written += quantifier
      at += quantifier.length
      continue
    }
    if (char === '[') inClass = true
    written += char === '{' || char === '}' || char === ']' ? `\\${char}` : char
    at += 1
  }
  return written
}
