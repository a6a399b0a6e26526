/** The characters of a text, as JSON Schema counts them (a lone surrogate is one). Without a list of them: texts may have megabytes. */
export const charactersIn = (text: string): number => {
  let count = text.length
  for (let at = 1; at < text.length; at++)
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) count -= 1
  return count
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** A text without the spaces and tabs around it, which HTTP calls optional white space (RFC 9110, 5.6.3). */
export const withoutBlanks = (text: string): string => text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')

/** A text with its percent-escapes decoded; as it is if they are none of UTF-8. */
export const decodedText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A path or URL without the slashes at its end. The end is looked for once, however many slashes come before it. */
export const withoutLastSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')
