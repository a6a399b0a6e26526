import type { Layout } from '../subject.ts'

/** Whether the text of a JSON body has a layout that shows in the text alone. */
export const hasLayout = (layout: Exclude<Layout, 'key-order'>, text: string): boolean => {
  switch (layout) {
    case 'whitespace':
      return /\s/.test(text.replace(/"(?:[^"\\]|\\.)*"/gs, '""').trim())
    case 'escaped-names':
      return /\\u00[2-7][^"]*"\s*:/.test(text)
    case 'short-escapes':
      return /(?<!\\)(?:\\\\)*\\\//.test(text)
    case 'escaped-values':
      return /\\u00[2-7][^"]*"\s*(?!\s*:)[,}\]]/.test(text)
  }
}
