import { hasOtherSpace, isInOtherBrackets, otherSpaces } from './broken-json.ts'
import { before, inValue, isInBrackets, replaceText, textValue } from './json-text.ts'
import { choose, type MalformedJsonKind, textKind } from './malformed-json-kind.ts'

/** One of these signs before the value, within it, or after it. */
const withSpace = (valid: string, pick: number): string => {
  const sign = otherSpaces[pick % otherSpaces.length] ?? '\f'
  // A value in no brackets has no place within. A byte order mark at the beginning may be read over (RFC 8259 8.1).
  const places = isInBrackets(valid) ? 3 : 2
  const place = (pick + Math.floor(pick / otherSpaces.length)) % places
  if (place === 2) return valid.replace(/^\s*[[{]/, bracket => bracket + sign)
  return place === 1 && sign !== '\ufeff' ? sign + valid : valid + sign
}

const swapped: Readonly<Record<string, string>> = { '{': '[', '[': '{', '}': ']', ']': '}' }

const withOtherBracket = (valid: string, pick: number): string => {
  const other = (bracket: string): string => swapped[bracket] ?? bracket
  switch (pick % 3) {
    case 0:
      return valid.slice(0, -1) + other(valid.slice(-1))
    case 1:
      return other(valid.slice(0, 1)) + valid.slice(1)
    default:
      // A list in a list is JSON.
      return valid.startsWith('{') ? `{${valid}}` : valid.slice(0, -1) + other(valid.slice(-1))
  }
}

const quotes = [
  ['“', '”'],
  ['`', '`'],
  ['\\"', '\\"'],
  ['«', '»'],
  ['&quot;', '&quot;'],
] as const

const withOtherQuotes = (valid: string, pick: number): string => {
  const pair = quotes[pick % quotes.length] ?? quotes[0]
  let count = 0
  return valid.replaceAll('"', () => pair[count++ % 2] ?? '')
}

/** What readers take that were made to be kind to people: none of it is JSON. */
export const lenientKinds: readonly MalformedJsonKind[] = [
  textKind('other-white-space', 'white space of another kind', withSpace, hasOtherSpace),
  textKind(
    'extra-comma',
    'extra comma',
    (valid, pick) =>
      choose(
        [
          valid === '[]' ? '[,,]' : valid.replace(/^\s*[[{]/, '$&,'),
          valid.includes(',"') ? valid.replace(',"', ',,"') : before(valid, ',,'),
        ],
        pick,
      ),
    /[[{]\s*,(?!\s*[\]}]\s*$)|,\s*,/,
    'items',
  ),
  textKind(
    'other-separator',
    'another sign for a colon or a comma',
    (valid, pick) => {
      const sign = choose(['=', ';', '=>', '::'], pick)
      return sign === ';' && valid.includes(',"')
        ? valid.replaceAll(',"', ';"')
        : valid.replaceAll(/(?<!\\)":/g, `"${sign === ';' ? '->' : sign}`)
    },
    /""(?:=>?|::|->)|;\s*""/,
    'member',
  ),
  textKind('other-bracket', 'bracket of another kind', withOtherBracket, isInOtherBrackets, 'brackets'),
  textKind(
    'other-quotes',
    'quotation marks of another kind',
    withOtherQuotes,
    text => /^[[{\s]*(?:[“`«]|\\"|&quot;)/.test(text),
    'quote',
  ),
  textKind(
    'bare-text',
    'text without its quotation marks',
    (valid, pick) => inValue(valid, pick, 'string', () => ['Fern', '"a"+"b"']),
    /[:,[]\s*(?:Fern\b|""\+"")/,
    'items',
  ),
  textKind(
    'missing-value',
    'property without a value',
    (valid, pick) =>
      pick % 2 === 0 && textValue.test(valid) && !valid.startsWith('[')
        ? replaceText(valid, () => '')
        : valid.replace(/(?:(\{)|(.))\}(?=[^}]*$)/s, (_all, empty = '', last = '') =>
            empty === '' ? `${last},"note":}` : '{"note":}',
          ),
    /:\s*[,}]/,
    'member',
  ),
]
