/** Tells how bytes that are not JSON are broken. */

import { withoutStrings } from './json-text.ts'

export const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The parser's error message; the empty string for JSON. */
export const syntaxError = (text: string): string => {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

export const endsEarly = (text: string): boolean => {
  const message = syntaxError(text)
  return (
    /end of JSON|Unterminated string/.test(message) || new RegExp(`position ${text.length}\\b`).test(message)
  )
}

export const isDoubled = (text: string): boolean => {
  const half = text.slice(0, text.length / 2)
  return half === text.slice(text.length / 2).trimStart() && syntaxError(half) === ''
}
export const isNested = (text: string): boolean => /^(?:\[{500}|(?:\{"a":){500})/.test(text)
export const isClosedNesting = (text: string): boolean => {
  const opened = text.indexOf('['.repeat(500))
  return opened !== -1 && text.includes(']'.repeat(500), opened)
}
/** What JSON values are, and what is put in the place of one, or the beginning of that. */
export const literal =
  /^\s*(?:true|false|null|[+.]\d|(?:tru?|f(?:a(?:ls?)?)?|n(?:ul?)?|t)$|(?:NaN|Infinity|undefined|True|nil|None|TRUE|NULL|yes)\b)/
/** Digits as a programming language may have them. */
export const otherNumeral = /^-?(?:0[xbo\d]|\d+(?:_\d|n| 0$))/
/** By its byte order mark, or by the zero beside the first ASCII character. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
export const isUtf8 = (bytes: Uint8Array): boolean => Buffer.from(decoder.decode(bytes)).equals(bytes)
/** What other languages take for white space. */
export const otherSpaces = ['\f', '\u00a0', '\v', '\ufeff', '\u2003', '\u2028', '\u3000', '\u0085'] as const
export const hasOtherSpace = (text: string): boolean =>
  /[\f\v\u00a0\u0085\u2003\u2028\u3000]|(?!^)\ufeff/.test(withoutStrings(text))

/** Whether a text is JSON but for its first or its last bracket, or for doubled braces. */
export const isInOtherBrackets = (text: string): boolean => {
  if (!/^\s*[[{].*[\]}]\s*$/s.test(text) || hasOtherSpace(text) || syntaxError(text) === '') return false
  const inner = text.trim().slice(1, -1)
  return [`{${inner}}`, `[${inner}]`, inner].some(each => syntaxError(each) === '')
}

/** Bytes in a text that is not UTF-8. */
export const notUtf8: readonly [readonly number[], ...(readonly number[])[]] = [
  [0xff],
  [0xc3, 0x28],
  [0xe2, 0x82],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xe9],
  // A pair of surrogates, each in three bytes (CESU-8); NUL in two; more bytes than needed; beyond U+10FFFF; another encoding.
  [0xed, 0xa0, 0xbc, 0xed, 0xbc, 0xb1],
  [0xc0, 0x80],
  [0xe0, 0x80, 0xaf],
  [0xf4, 0x90, 0x80, 0x80],
  [0x93, 0x61, 0x94],
  [0x80],
]
/** Two values in a row, of which the second begins a property, or is an item of a list. */
const withoutComma = [
  /(?:[\d"}\]]|true|false|null)\s*""\s*:/,
  /^\s*\[[^{}]*(?:[\d"\]]|true|false|null)\s*""\s*[,\]]/,
  /^\s*\[.*(?:[\d"}\]]|true|false|null)\s+7\]\s*$/s,
]
export const lacksComma = (text: string): boolean => {
  const outside = withoutStrings(text)
  return withoutComma.some(pattern => pattern.test(outside))
}
