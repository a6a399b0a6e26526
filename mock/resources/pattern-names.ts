import { createAutomaton, type Edge, type Range } from '../../spec/index.ts'
import { chance } from '../chance/digest.ts'

/** Makes a text that matches patterns; equal seeds give equal texts. Undefined: no text was found. */
export type NameByPattern = (seed: string, least: number, most: number) => string | undefined

/** So long are names whose patterns leave it open. */
const usualLength = 10
const mostSteps = 200

/** Null: the patterns go beyond automata, or nothing matches them. */
export const nameByPattern = (patterns: readonly string[]): NameByPattern | null => {
  const automaton = createAutomaton(patterns, [], false)
  if (automaton === null || automaton === 'empty') return null
  const { start, edges, ends } = automaton
  const left = stepsToEnd(edges, ends)
  return (seed, least, most) => {
    const wanted = Math.min(most, Math.max(least, usualLength))
    let [state, text] = [start, '']
    for (let step = 0; step < mostSteps; step++) {
      const length = text.length
      if (ends[state] === true && length >= wanted) return text
      const open = (edges[state] ?? []).filter(
        ({ to }) => (left[to] ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY,
      )
      // Beyond the wanted length, the shortest way to an end.
      const ways =
        length < wanted ? open : open.filter(({ to }) => (left[to] as number) < (left[state] as number))
      if (ways.length === 0) return ends[state] === true ? text : undefined
      const way = ways[chance(`${seed} way ${step}`) % ways.length] as Edge
      text += characterIn(way.ranges, chance(`${seed} character ${step}`))
      state = way.to
    }
    return undefined
  }
}

/** How many characters are needed at least from each state to the end of a text. */
const stepsToEnd = (edges: readonly (readonly Edge[])[], ends: readonly boolean[]): readonly number[] => {
  const left = ends.map(isEnd => (isEnd ? 0 : Number.POSITIVE_INFINITY))
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const [state, from] of edges.entries()) {
      const best = 1 + Math.min(...from.map(({ to }) => left[to] ?? Number.POSITIVE_INFINITY))
      if (best >= (left[state] ?? 0)) continue
      left[state] = best
      isDone = false
    }
  }
  return left
}

const plain: readonly Range[] = [
  { min: 0x61, max: 0x7a },
  { min: 0x30, max: 0x39 },
  { min: 0x41, max: 0x5a },
]

/** A letter or digit if one is allowed. */
const characterIn = (ranges: readonly Range[], draw: number): string => {
  const usual = plain.flatMap(({ min, max }) =>
    ranges.flatMap(range => {
      const part = { min: Math.max(min, range.min), max: Math.min(max, range.max) }
      return part.min <= part.max ? [part] : []
    }),
  )
  const from = usual.length > 0 ? usual : ranges
  let at = draw % from.reduce((sum, { min, max }) => sum + max - min + 1, 0)
  for (const { min, max } of from) {
    if (at <= max - min) return String.fromCodePoint(min + at)
    at -= max - min + 1
  }
  return ''
}
