/** What can be said of a JSON text without parsing it. The scanners skip strings, and take time in proportion to the text. */

const codes = {
  quote: 0x22,
  comma: 0x2c,
  bracket: 0x5b,
  endOfBracket: 0x5d,
  brace: 0x7b,
  endOfBrace: 0x7d,
} as const

/** The index after the string that begins at `start`. An unterminated string ends with the text. */
export const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

/** A name that an object of a text has had before, and the index of its repetition. */
export type DuplicateName = { readonly name: string; readonly at: number }

/** The names that an object of a valid JSON text has more than once, unescaped. */
export const duplicateNames = (text: string): readonly string[] => duplicatesIn(text).map(({ name }) => name)

export const duplicatesIn = (text: string): readonly DuplicateName[] => {
  const found: DuplicateName[] = []
  const open: (Set<string> | null)[] = []
  let names: Set<string> | null = null
  let isNameNext = false
  // A loop, as a regular expression for whole strings would overflow the stack on a long one.
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case codes.brace:
      case codes.bracket:
        open.push(names)
        isNameNext = text.charCodeAt(at) === codes.brace
        names = isNameNext ? new Set() : null
        break
      case codes.endOfBrace:
      case codes.endOfBracket:
        names = open.pop() ?? null
        isNameNext = false
        break
      case codes.comma:
        isNameNext = names !== null
        break
      case codes.quote: {
        const start = at
        at = endOfString(text, start) - 1
        if (!isNameNext) break
        const written = text.slice(start + 1, at)
        const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
        if (names?.has(name)) found.push({ name, at: start })
        names?.add(name)
        isNameNext = false
      }
    }
  }
  return found
}

/**
 * RFC 8259, 9: an implementation may set limits. The code that judges and writes JSON is recursive, and a megabyte of small values
 * or of one number's digits holds a process for seconds.
 */
const jsonLimits = { depth: 500, values: 250_000, digits: 10_000 } as const

/** Texts that are too short for any of the limits. */
const shortest = 2 * jsonLimits.depth

/** Which limit a text exceeds, for a message; null if it keeps to all of them. */
export const excessIn = (text: string): string | null => {
  if (text.length <= shortest) return null
  let depth = 0
  let values = 1
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) {
      digits += 1
      if (digits > jsonLimits.digits)
        return `the JSON has a number that is too long: more than ${jsonLimits.digits} digits`
      continue
    }
    // A fraction and an exponent belong to the number.
    if (!(code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d)) digits = 0
    if (code === codes.quote) {
      at = endOfString(text, at) - 1
    } else if (code === codes.bracket || code === codes.brace) {
      depth += 1
      if (depth > jsonLimits.depth)
        return `the JSON is nested too deeply: more than ${jsonLimits.depth} levels`
    } else if (code === codes.endOfBracket || code === codes.endOfBrace) depth -= 1
    else if (code === codes.comma) {
      values += 1
      if (values > jsonLimits.values) return `the JSON has too many values: more than ${jsonLimits.values}`
    }
  }
  return null
}

/** In characters. A value that is longer when it is written out than this cannot be handled. */
const mostExpanded = 64 * 2 ** 20

export const tooDeep = `it is nested more than ${jsonLimits.depth} levels deep`

type Extent = { readonly size: number; readonly depth: number }

/** Throws Error if a value that shares parts with itself, as YAML aliases do, is too long or too deep when it is written out. */
export const checkExpansion = (root: unknown): void => {
  const known = new Map<object, Extent>()
  const extentOf = (value: unknown): Extent => {
    if (typeof value === 'string') return { size: value.length + 2, depth: 0 }
    if (typeof value !== 'object' || value === null) return { size: 4, depth: 0 }
    const before = known.get(value)
    if (before !== undefined) return before
    // A part that contains itself has no end.
    known.set(value, { size: 0, depth: Number.POSITIVE_INFINITY })
    let [size, depth] = [2, 1]
    for (const [name, member] of Object.entries(value)) {
      const inner = extentOf(member)
      size += name.length + 3 + inner.size
      depth = Math.max(depth, inner.depth + 1)
      if (size > mostExpanded)
        throw new Error(`its aliases expand to more than ${mostExpanded / 2 ** 20} MiB`)
    }
    if (depth > jsonLimits.depth) throw new Error(tooDeep)
    const extent = { size, depth }
    known.set(value, extent)
    return extent
  }
  extentOf(root)
}
