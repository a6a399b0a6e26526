import { thousands } from '../../spec/index.ts'

/** The beginning of a text, never ending in half a surrogate pair. */
export const beginning = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length)

/** Cuts a text to about this many characters and adds the size of the whole in bytes. */
export const cutText = (text: string, limit: number, bytes: number = Buffer.byteLength(text)): string =>
  text.length <= limit ? text : `${beginning(text, limit)}… (${thousands(bytes)} bytes)`
