import { createAutomaton, type Edge, type Range } from '../../spec/index.ts'

/** Where random numbers come from: fast-check's generator, or `seededRandomSource` if nothing has to shrink. */
export type RandomSource = {
  /** A whole number from `min` to `max`, inclusive. */
  readonly nextInt: (min: number, max: number) => number
  readonly nextBigInt: (min: bigint, max: bigint) => bigint
}

export const pick = <Item>(source: RandomSource, items: readonly Item[]): Item =>
  items[source.nextInt(0, items.length - 1)] as Item

/** True with a probability of one in `count`. */
export const oneIn = (source: RandomSource, count: number): boolean => source.nextInt(1, count) === 1

export const shuffled = <Item>(source: RandomSource, items: readonly Item[]): readonly Item[] => {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = source.nextInt(0, last)
    const swapped = order[last] as Item
    order[last] = order[other] as Item
    order[other] = swapped
  }
  return order
}

/** Gives the same numbers for the same seed (splitmix32). */
export const seededRandomSource = (seed: number): RandomSource => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const nextBigInt = (min: bigint, max: bigint): bigint => {
    const size = max - min + 1n
    let drawn = 0n
    for (let bound = 1n; bound < size << 16n; bound <<= 32n) drawn = (drawn << 32n) | BigInt(next())
    return min + (drawn % size)
  }
  return {
    nextInt: (min, max) =>
      min + Math.floor(((next() * 0x200000 + (next() >>> 11)) / 2 ** 53) * (max - min + 1)),
    nextBigInt,
  }
}

/**
 * Domains are where leaf values come from, independent of any schema: strings by pattern (this file), the
 * formats of strings and integers, exact numbers, and the source of randomness.
 */

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
