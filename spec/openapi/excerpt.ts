/** The lines of a file around `line`, beginning with the line `from`; both count from 1. */
export type Excerpt = { readonly from: number; readonly line: number; readonly lines: readonly string[] }

const before = 3
const after = 4
const widest = 160

/** The lines around a line of a text; long ones, such as JSON on one line, are cut. */
export const excerptOf = (text: string, line: number): Excerpt => {
  const from = Math.max(1, line - before)
  const lines = text
    .split(/\r?\n/, line + after)
    .slice(from - 1)
    .map(each => (each.length > widest ? `${each.slice(0, widest)}…` : each))
  return { from, line, lines: lines.at(-1) === '' ? lines.slice(0, -1) : lines }
}
