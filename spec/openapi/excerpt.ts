/** The lines of a file around `line`, beginning with the line `from`; both count from 1. */
export type Excerpt = { readonly from: number; readonly line: number; readonly lines: readonly string[] }

const before = 3
const after = 4
const widest = 160

/** What is shown of a long line before the place in it. */
const ahead = 40

/** Reads the lines around a line of a text; long ones, such as JSON on one line, are cut: the line itself around its column, from 1. */
export const createExcerpts = (text: string): ((line: number, column?: number) => Excerpt) => {
  // Found once: a run on a large document may tell of a thousand places.
  let starts: readonly number[] | null = null
  return (line, column = 1) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
    const from = Math.max(1, line - before)
    const lines = starts
      .slice(from - 1, line + after)
      .map((start, index) => text.slice(start, (starts?.[from + index] ?? text.length + 1) - 1))
      .map(each => each.replace(/\r$/, ''))
      .map((each, index) => {
        if (each.length <= widest) return each
        const start = from + index === line ? Math.max(0, column - 1 - ahead) : 0
        return `${start === 0 ? '' : '…'}${each.slice(start, start + widest)}${start + widest < each.length ? '…' : ''}`
      })
    return { from, line, lines: lines.at(-1) === '' ? lines.slice(0, -1) : lines }
  }
}

/** Nobody finds a place in a longer line by its number alone. */
const longestLine = 500

let last = { text: '', isOneLine: true }

/** The column of a place, from 1, in a line that is long, or the only one of its file; null in any other. */
export const columnIn = (text: string, offset: number): number | null => {
  // Servers write their documents in one line of a megabyte, which is not to be read again for each place.
  if (text !== last.text) last = { text, isOneLine: !text.includes('\n') }
  if (last.isOneLine) return offset + 1
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const isOnly = start === 0 && (end < 0 || text.slice(end).trim() === '')
  return isOnly || (end < 0 ? text.length : end) - start > longestLine ? offset - start + 1 : null
}
