/**
 * A pattern with the same meaning that is valid in Unicode mode, as JSON Schema reads patterns: `\-` and `\_` become `-` and `_`, and a brace
 * that opens no quantifier gets a backslash. Null if there is none: also for what other dialects mean by something else than ECMAScript,
 * such as `\A` and `\z`, which nobody writes for the letters A and z.
 */
export const inUnicodeMode = (pattern: string): string | null => {
  if (isValid(pattern, 'u')) return pattern
  if (!isValid(pattern, '') || isOfOtherDialect(pattern)) return null
  const written = rewrite(pattern)
  return isValid(written, 'u') ? written : null
}

/**
 * Anchors and classes of Perl, Java, Ruby, .NET, Python and POSIX: an escaped letter without a meaning in ECMAScript (`\A`, `\Z`, `\h`,
 * `\Q`), classes such as `[[:alpha:]]`, and intersections of classes.
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
