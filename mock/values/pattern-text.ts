/**
 * A short text that matches a regular expression of the usual kind: characters, classes, groups, alternatives and repetitions.
 * Null: it has something else, such as lookaround. The caller checks the text. `more`: how often something is repeated beyond what it
 * has to be, where the pattern sets no limit.
 */
export const textOfPattern = (pattern: string, chance: number, more = 2): string | null => {
  const reader: Reader = { rest: pattern, chance, more }
  const text = alternatives(reader)
  return reader.rest === '' ? text : null
}

/** What is left of the pattern, and a number that choices follow from. */
type Reader = { rest: string; chance: number; readonly more: number }

const take = (reader: Reader, expression: RegExp): RegExpExecArray | null => {
  const found = expression.exec(reader.rest)
  if (found !== null) reader.rest = reader.rest.slice(found[0].length)
  return found
}

const pick = (reader: Reader, count: number): number => {
  reader.chance = (Math.imul(reader.chance | 0, 1_103_515_245) + 12_345) >>> 0
  return (reader.chance >>> 8) % count
}

const alternatives = (reader: Reader): string => {
  const texts = [sequence(reader)]
  while (take(reader, /^\|/) !== null) texts.push(sequence(reader))
  return texts[pick(reader, texts.length)] ?? ''
}

const sequence = (reader: Reader): string => {
  let text = ''
  for (;;) {
    if (reader.rest === '' || /^[|)]/.test(reader.rest)) return text
    if (take(reader, /^(?:\^|\$|\\b)/) !== null) continue
    const before = reader.rest
    const once = atom(reader)
    if (once === null) {
      reader.rest = before
      return text
    }
    const atomText = before.slice(0, before.length - reader.rest.length)
    const count = repetitions(reader)
    text += once.repeat(Math.min(count, 1))
    // Each repetition is drawn by itself.
    for (let index = 1; index < count; index++)
      text += atom({ ...reader, rest: atomText, chance: pick(reader, 2 ** 24) }) ?? ''
  }
}

const mostRepetitions = 1_000

const repetitions = (reader: Reader): number => {
  const bounds = take(reader, /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/)
  if (bounds === null) return 1
  const [, sign, from, comma, to] = bounds
  const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0
  const isOpen = sign === '+' || sign === '*' || (comma === ',' && to === '')
  const most = comma === ',' && to !== '' ? Number(to) : least
  return Math.min(isOpen ? least + reader.more : Math.min(most, least + reader.more), mostRepetitions)
}

/** One character or group; null: something else. */
const atom = (reader: Reader): string | null => {
  if (take(reader, /^\((?:\?:|\?<\w+>)?(?!\?)/) !== null) {
    const text = alternatives(reader)
    return take(reader, /^\)/) === null ? null : text
  }
  const set = take(reader, /^\[(\^?)((?:\\.|[^\]\\])*)\]/)
  if (set !== null) return oneOf(reader, set[2] ?? '', set[1] === '^')
  const escaped = take(reader, /^\\(.)/)
  if (escaped !== null)
    return classes[escaped[1] ?? ''] === undefined
      ? plainEscape(escaped[1] ?? '')
      : oneOf(reader, `\\${escaped[1]}`, false)
  if (take(reader, /^\./) !== null) return oneOf(reader, 'a-z', false)
  return take(reader, /^[^()[\]{}*+?|\\^$]/)?.[0] ?? null
}

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyz'
const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${digits}`,
  s: ' ',
  D: letters,
  W: '-',
  S: letters,
}

const plainEscape = (char: string): string | null =>
  ({ t: '\t', n: '\n', r: '\r' })[char] ?? (/[\w]/.test(char) ? null : char)

const candidates = [...letters, ...digits, ...letters.toUpperCase(), ...'-_. @/:+#']

const oneOf = (reader: Reader, members: string, isNegated: boolean): string | null => {
  const chars: string[] = []
  const rest = { rest: members, chance: 0, more: 0 }
  while (rest.rest !== '') {
    const range = take(rest, /^(\\?.)-(\\?.)/s)
    if (range !== null) {
      const [from, to] = [range[1]?.at(-1) ?? '', range[2]?.at(-1) ?? '']
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0) && chars.length < 500; code++)
        chars.push(String.fromCharCode(code))
      continue
    }
    const escaped = take(rest, /^\\(.)/s)
    if (escaped === null) chars.push(take(rest, /^[\s\S]/)?.[0] ?? '')
    else chars.push(...(classes[escaped[1] ?? ''] ?? plainEscape(escaped[1] ?? '') ?? ''))
  }
  const all = isNegated ? candidates.filter(char => !chars.includes(char)) : chars
  return all[pick(reader, all.length)] ?? null
}
