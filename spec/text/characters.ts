/** The characters of a text, as JSON Schema counts them (a lone surrogate is one). Without a list of them: texts may have megabytes. */
export const charactersIn = (text: string): number => {
  let count = text.length
  for (let at = 1; at < text.length; at++)
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) count -= 1
  return count
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
