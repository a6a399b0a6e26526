/** A text with its percent-escapes decoded; as it is if they are none of UTF-8. */
export const decodedText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
