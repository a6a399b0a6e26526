/**
 * Domains are where leaf values come from, independent of any schema: strings by pattern (this file), the
 * formats of strings and integers, exact numbers, and the source of randomness.
 */
import { createAutomaton, type Edge, type Range } from '../../spec/index.ts'
import { oneIn, type RandomSource } from './random-source.ts'

/** The strings that match some patterns and none of some others. */
type Language = {
  readonly draw: (source: RandomSource) => string
  /** Members of the three smallest lengths, two of each, and one of the greatest length considered. */
  readonly boundaries: readonly string[]
}

const window = 64

/**
 * The strings from `min` to `max` characters that match all `patterns` and none of `notPatterns`; 'empty' if there are none.
 * If a pattern goes beyond automata the result is null, or has other members too: check what it gives (see `createAutomaton`).
 */
export const createLanguage = (
  patterns: readonly string[],
  notPatterns: readonly string[],
  min: number,
  max: number,
  inlineLookaround = false,
): Language | 'empty' | null => {
  const automaton = createAutomaton(patterns, notPatterns, inlineLookaround)
  if (automaton === null || automaton === 'empty') return automaton
  const { start, edges: edgesFrom, ends } = automaton

  // finishes[n][state]: an end can be reached from the state in exactly n more characters.
  const finishes: (readonly boolean[])[] = [ends]
  const canFinishIn = (length: number): readonly boolean[] => {
    for (let made = finishes.length; made <= length; made += 1) {
      const before = finishes[made - 1] as readonly boolean[]
      finishes.push(edgesFrom.map(edges => edges.some(({ to }) => before[to])))
    }
    return finishes[length] as readonly boolean[]
  }
  const horizon = Math.min(
    max,
    Math.max(min + window, edgesFrom.length + 1),
    Math.floor(2_000_000 / edgesFrom.length),
  )
  const lengths: number[] = []
  for (let length = min; length <= horizon && lengths.length < window; length += 1)
    if (canFinishIn(length)[start]) lengths.push(length)
  const [first] = lengths
  // If no length up to `min` plus the number of states is possible, none is.
  if (first === undefined) return horizon >= Math.min(max, min + edgesFrom.length) ? 'empty' : null

  const spell = (
    length: number,
    choose: (edges: readonly Edge[]) => Edge,
    char: (ranges: readonly Range[]) => number,
  ): string => {
    let at = start
    let text = ''
    for (let rest = length; rest > 0; rest -= 1) {
      const before = canFinishIn(rest - 1)
      const edge = choose((edgesFrom[at] as readonly Edge[]).filter(({ to }) => before[to]))
      text += String.fromCodePoint(char(edge.ranges))
      at = edge.to
    }
    return text
  }
  const simple = (length: number, which: number): string =>
    spell(
      length,
      edges => edges[which % edges.length] as Edge,
      ranges => plainIn(ranges)[0] as number,
    )
  const longest = lengths.at(-1) as number
  return {
    boundaries: [
      ...new Set([
        ...lengths.slice(0, 3).flatMap(length => [simple(length, 0), simple(length, 1)]),
        simple(longest, 0),
      ]),
    ],
    draw: source => {
      const usual = oneIn(source, 6) ? lengths : lengths.slice(0, 16)
      const length = usual[source.nextInt(0, usual.length - 1)] as number
      return spell(
        length,
        edges => edges[source.nextInt(0, edges.length - 1)] as Edge,
        ranges => {
          const plain = plainIn(ranges)
          if (plain.length > 0 && !oneIn(source, 24))
            return plain[source.nextInt(0, plain.length - 1)] as number
          const range = ranges[source.nextInt(0, ranges.length - 1)] as Range
          return source.nextInt(range.min, Math.min(range.max, range.min + 200))
        },
      )
    },
  }
}

const ordinary = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ .,:/@+'].map(char =>
  char.charCodeAt(0),
)
const plainByClass = new WeakMap<readonly Range[], readonly number[]>()

// The ordinary characters of a class, or its first if it has none.
const plainIn = (ranges: readonly Range[]): readonly number[] => {
  const known = plainByClass.get(ranges)
  if (known !== undefined) return known
  const plain = ordinary.filter(char => ranges.some(({ min, max }) => min <= char && char <= max))
  const made = plain.length > 0 ? plain : [(ranges[0] as Range).min]
  plainByClass.set(ranges, made)
  return made
}
