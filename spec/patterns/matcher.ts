import type { Automaton, Edge } from './automaton.ts'

/** Whether an automaton accepts a text, in time proportional to the text. */
export const createMatcher = ({ start, edges, ends }: Automaton): ((text: string) => boolean) => {
  const rows = edges.map(rowOf)
  return text => {
    let state = start
    for (let at = 0; at < text.length; at++) {
      const code = text.codePointAt(at) as number
      if (code > 0xffff) at += 1
      const row = rows[state] as Row
      state = code < asciiCodes ? (row.ascii[code] as number) : next(row, code)
      if (state === dead) return false
    }
    return ends[state] === true
  }
}

const dead = -1
const asciiCodes = 128

/** The states that follow one state. */
type Row = {
  readonly ascii: Int32Array
  /** Of all characters, in order; they do not overlap. */
  readonly ranges: readonly { readonly min: number; readonly max: number; readonly to: number }[]
}

const rowOf = (edges: readonly Edge[]): Row => {
  const ranges = edges
    .flatMap(({ to, ranges }) => ranges.map(({ min, max }) => ({ min, max, to })))
    .sort((left, right) => left.min - right.min)
  const ascii = new Int32Array(asciiCodes).fill(dead)
  for (const { min, max, to } of ranges) ascii.fill(to, min, Math.min(asciiCodes, max + 1))
  return { ascii, ranges }
}

const next = ({ ranges }: Row, code: number): number => {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle] as Row['ranges'][number]
    if (code < range.min) high = middle - 1
    else if (code > range.max) low = middle + 1
    else return range.to
  }
  return dead
}
