/**
 * A pattern of another dialect (Perl, PCRE, Python, Java, .NET, Go, Ruby, POSIX) as one of ECMAScript: anchors such as `\A` and `\Z`,
 * flags in the pattern such as `(?i)`, POSIX classes, names of groups as in Python, possessive and atomic repetitions, and the slashes of a literal
 * (`/^a$/i`), which no text could match. What is unknown stays as it is, so the result need not be valid. Null if a part of the pattern means
 * different things in different dialects, or has no equal.
 */
export const inEcmaScript = (pattern: string): string | null => {
  const [, text = pattern, given = ''] = literal.exec(pattern) ?? []
  let flags: Flags = { i: given.includes('i'), s: given.includes('s') }
  const outer: Flags[] = []
  let written = ''
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at)
    const group = /^\(\?([a-zU]*)(?:-([a-z]+))?([:)])/.exec(rest)
    if (group !== null) {
      const [all, on = '', off = '', end] = group
      // Lines and comments in a pattern have no equal.
      if (/[^aisuU]/.test(on) || /[^aisuU]/.test(off)) return null
      if (end === ':') outer.push(flags)
      flags = { i: isOn('i', on, off, flags), s: isOn('s', on, off, flags) }
      written += end === ':' ? '(?:' : ''
      at += all.length
      continue
    }
    const known = groups.find(([start]) => start.test(rest))
    if (known !== undefined) {
      const [start, replacement, hasEnd = true] = known
      const [found = ''] = start.exec(rest) ?? []
      if (hasEnd) outer.push(flags)
      written += found.replace(start, replacement)
      at += found.length
      continue
    }
    if (rest.startsWith(')')) flags = outer.pop() ?? flags
    if (rest.startsWith('[')) {
      const set = /^\[\^?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]/s.exec(rest)?.[0]
      const translated = set === undefined ? null : inSet(set, flags)
      if (set === undefined || translated === null) return null
      written += translated
      at += set.length
      continue
    }
    const repetition = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(rest)?.[0]
    if (repetition !== undefined) {
      written += repetition
      at += repetition.length + (text[at + repetition.length] === '+' ? 1 : 0)
      continue
    }
    const token =
      /^\\Q.*?(?:\\E|$)|^\\[pP]\{[^}]*\}|^\\[pP][A-Z]|^\\[xu]\{[^}]*\}|^\\.|^./su.exec(rest)?.[0] ?? rest
    written += outside(token, flags)
    at += token.length
  }
  return written
}

const literal = /^\/(\^.*|.*\$)\/([dgimsuvy]*)$/s

/** Whether a pattern has the slashes of a literal around it: no text has one before its start or after its end. */
export const isLiteral = (pattern: string): boolean => literal.test(pattern)

/** Flags of a pattern that change what a character stands for: whatever its case is, and whether a dot takes line breaks. */
type Flags = { readonly i: boolean; readonly s: boolean }

const isOn = (flag: 'i' | 's', on: string, off: string, before: Flags): boolean =>
  !off.includes(flag) && (on.includes(flag) || before[flag])

/** What begins with `(`, what it is in ECMAScript, and whether a `)` is still to come. */
const groups: readonly (readonly [start: RegExp, replacement: string, hasEnd?: boolean])[] = [
  [/^\(\?P=(\w+)\)/, '\\k<$1>', false],
  [/^\(\?#[^)]*\)/, '', false],
  [/^\(\?P<(\w+)>/, '(?<$1>'],
  [/^\(\?'(\w+)'/, '(?<$1>'],
  [/^\(\?>/, '(?:'],
  [/^\((?:\?(?:[=!]|<[=!]|<\w+>))?/, '$&'],
]

const anchors: Readonly<Record<string, string>> = { '\\A': '^', '\\Z': '$', '\\z': '$' }
const controls: Readonly<Record<string, string>> = { '\\a': '\\x07', '\\e': '\\x1b' }

const outside = (token: string, flags: Flags): string => {
  if (token === '.' && flags.s) return '[\\s\\S]'
  if (token.startsWith('\\Q')) return RegExp.escape(token.slice(2).replace(/\\E$/, ''))
  const anchor = anchors[token]
  if (anchor !== undefined) return anchor
  const other = otherCase(token)
  return flags.i && other !== null ? `[${token}${other}]` : escapeOf(token)
}

const escapeOf = (token: string): string => {
  const [, kind, name = ''] = /^\\([pP])\{(\w+)\}$/.exec(token) ?? []
  const members = javaClasses[name]
  if (members !== undefined) return kind === 'p' ? `[${members}]` : `[^${members}]`
  return controls[token] ?? token.replace(/^\\x\{/, '\\u{').replace(/^\\([pP])([A-Z])$/, '\\$1{$2}')
}

/** A set of characters with POSIX classes and in either case. Null if it has a part that is unknown here. */
const inSet = (set: string, { i }: Flags): string | null => {
  const [, start = '[', inner = ''] = /^(\[\^?)(.*)\]$/s.exec(set) ?? []
  let written = start
  for (const [token] of inner.matchAll(setMember)) {
    const posix = /^\[:(\^?)([a-z]+):\]$/.exec(token)
    const member = posix === null ? escapeOf(token) : posixClasses[posix[2] as string]
    if (member === undefined || posix?.[1] === '^' || member.startsWith('[^')) return null
    written += member.length > 1 && member.startsWith('[') ? member.slice(1, -1) : member
    if (i && posix === null) written += inOtherCase(token)
  }
  return `${written}]`
}

/** A class of POSIX, or a character or an escape, to another one if it is a range. */
const setMember =
  /\[:\^?[a-z]+:\]|(?:\\[xu]\{[^}]*\}|\\[pP]\{[^}]*\}|\\[pP][A-Z]|\\.|[^\\])(?:-(?:\\.|[^\\\]]))?/gsu

/** The characters of a member of a set in the other case. */
const inOtherCase = (token: string): string => {
  const range = /^([a-z])-([a-z])$|^([A-Z])-([A-Z])$/.test(token) ? [...token].map(otherCase) : null
  if (range !== null) return `${range[0]}-${range[2]}`
  return [...token].length === 1 ? (otherCase(token) ?? '') : ''
}

/** A letter in the other case; null if there is none, or no single one. */
const otherCase = (token: string): string | null => {
  if (!/^\p{L}$/u.test(token)) return null
  const other = token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase()
  return other !== token && /^\p{L}$/u.test(other) ? other : null
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9a-fA-F',
}

/** The same by their names in Java. */
const javaClasses: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(posixClasses).map(([name, members]) => [
      name === 'xdigit' ? 'XDigit' : `${name[0]?.toUpperCase()}${name.slice(1)}`,
      members,
    ]),
  ),
  IsAlphabetic: '\\p{Alphabetic}',
  IsDigit: '\\p{Nd}',
  IsLetter: '\\p{L}',
}
