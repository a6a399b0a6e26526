import { withoutStrings } from '../inputs/json-text.ts'
import type { Layout } from '../subject.ts'

/** Whether the text of a JSON body has a layout that shows in the text alone. */
export const hasLayout = (layout: Exclude<Layout, 'key-order'>, text: string): boolean => {
  switch (layout) {
    case 'whitespace':
      return /\s/.test(withoutStrings(text).trim())
    case 'escaped-names':
      return hasEscaped(text, /^\s*:/)
    case 'short-escapes':
      return /(?<!\\)(?:\\\\)*\\\//.test(text)
    case 'escaped-values':
      return hasEscaped(text, /^\s*[,}\]]/)
  }
}

/** Whether what is between two quotation marks has an escaped character of ASCII, before what `next` says. */
const hasEscaped = (text: string, next: RegExp): boolean =>
  text.split('"').some((part, at, parts) => /\\u00[2-7]/.test(part) && next.test(parts[at + 1] ?? ''))
