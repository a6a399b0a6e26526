/** Tells how bytes that are not JSON are broken. */

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
  /^\s*(?:true|false|null|[+.]\d|(?:tru?|f(?:a(?:ls?)?)?|n(?:ul?)?|t)$|(?:NaN|Infinity|undefined|True|nil|None)\b)/
/** Digits as a programming language may have them. */
export const otherNumeral = /^-?(?:0[xbo\d]|\d+(?:_\d|n))/
/** By its byte order mark, or by the zero beside the first ASCII character. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
export const isUtf8 = (bytes: Uint8Array): boolean => Buffer.from(decoder.decode(bytes)).equals(bytes)
