import { parseJson } from '../store/json.ts'

/** The text up to the end of its first object; the whole text if it contains none. */
export const firstValue = (text: string): string => {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      parseJson(text.slice(0, end + 1))
      return text.slice(0, end + 1)
    } catch {
      // The object does not end here.
    }
  }
  return text
}
