/** A declared path is the text of a URI template: what cannot stand in a URI as it is written is sent percent-encoded (RFC 3987, 3.1). */

const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Characters that stand in a path as they are, and mean something there or not (RFC 3986, 3.3): an escape of one is the same to a server. */
const delimiters = "!$&'()*+,;=:@"

// Without the flag i: with it, the letters of `\w` include two beyond ASCII, the long s and the sign for kelvin.
const unusual = /%(?![0-9a-fA-F]{2})|[^\w\-.~!$&'()*+,;=:@/%?#]/gu

/** A template as it is sent, with its parameters still to be filled in: `/Wörter/{id}` is `/W%C3%B6rter/{id}`. */
export const encodedTemplate = (template: string): string =>
  template
    .split(/(\{[^{}]+\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(unusual, encodeCharacter)))
    .join('')

const encodeCharacter = (char: string): string =>
  char.isWellFormed() ? encodeURIComponent(char) : encodeURIComponent('\ufffd')

/**
 * A path with one spelling of what is the same in all of them (RFC 3986, 6.2.2): escapes of characters that need none mean the characters,
 * all others are in capitals, and what a client should have escaped is.
 */
export const plainPath = (path: string): string =>
  /[%"<>^`|\\{}\s]/.test(path)
    ? path
        .replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, escaped => decodeURIComponent(escaped))
        .replace(/%[0-9a-f]{2}/gi, escaped => escaped.toUpperCase())
        .replace(/["<>^`|\\{}\s]/g, hex)
    : path

/** The text of a path where it has no values: there, an escaped delimiter is as good as one. */
export const literalText = (path: string): string => {
  const plain = plainPath(path)
  return plain.includes('%')
    ? plain.replace(/%(?:2[1467-9A-C]|3[ABD]|40)/g, escaped => decodeURIComponent(escaped))
    : plain
}

/** A pattern of a literal part of a template, which also takes its delimiters escaped. */
export const literalPattern = (literal: string): string =>
  [...literalText(encodedTemplate(literal))]
    .map(char =>
      delimiters.includes(char) ? `(?:${RegExp.escape(char)}|${hex(char)})` : RegExp.escape(char),
    )
    .join('')
