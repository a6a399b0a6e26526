import { thousands } from './count.ts'

/** The beginning of a text, never with half a surrogate pair at its end. */
export const beginning = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length)

/** Cuts text to about this many characters and says how many bytes the whole has. */
export const cutText = (text: string, limit: number, bytes: number = Buffer.byteLength(text)): string =>
  text.length <= limit ? text : `${beginning(text, limit)}… (${thousands(bytes)} bytes)`
