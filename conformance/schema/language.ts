import { createAutomaton, type Edge, type Range } from './automaton.ts'
import { once, type Source } from './source.ts'

/** The strings that match some patterns and none of others. */
type Language = {
  readonly draw: (source: Source) => string
  /** The shortest members, each in two spellings, and one of the greatest length looked at. */
  readonly edges: readonly string[]
}

const window = 64

/**
 * The strings of those lengths that match all `patterns` and none of `notPatterns`; 'empty' where there are none.
 * Null or a language that holds more where a pattern needs more than automata can tell: judge what it gives.
 */
export const createLanguage = (
  patterns: readonly string[],
  notPatterns: readonly string[],
  min: number,
  max: number,
  read = false,
): Language | 'empty' | null => {
  const automaton = createAutomaton(patterns, notPatterns, read)
  if (automaton === null || automaton === 'empty') return automaton
  const { start, edges: inside, ends } = automaton

  // finishes[n][state]: the end can be reached in exactly n more characters.
  const finishes: (readonly boolean[])[] = [ends]
  const reach = (length: number): readonly boolean[] => {
    for (let made = finishes.length; made <= length; made += 1) {
      const before = finishes[made - 1] as readonly boolean[]
      finishes.push(inside.map(edges => edges.some(({ to }) => before[to])))
    }
    return finishes[length] as readonly boolean[]
  }
  const horizon = Math.min(
    max,
    Math.max(min + window, inside.length + 1),
    Math.floor(2_000_000 / inside.length),
  )
  const lengths: number[] = []
  for (let length = min; length <= horizon && lengths.length < window; length += 1)
    if (reach(length)[start]) lengths.push(length)
  const [first] = lengths
  // No length up to the number of states beyond `min`: none at all.
  if (first === undefined) return horizon >= Math.min(max, min + inside.length) ? 'empty' : null

  const spell = (
    length: number,
    choose: (edges: readonly Edge[]) => Edge,
    char: (ranges: readonly Range[]) => number,
  ): string => {
    let at = start
    let text = ''
    for (let rest = length; rest > 0; rest -= 1) {
      const before = reach(rest - 1)
      const edge = choose((inside[at] as readonly Edge[]).filter(({ to }) => before[to]))
      text += String.fromCodePoint(char(edge.ranges))
      at = edge.to
    }
    return text
  }
  const plain = (length: number, which: number): string =>
    spell(
      length,
      edges => edges[which % edges.length] as Edge,
      ranges => nice(ranges)[0] as number,
    )
  const ended = lengths.at(-1) as number
  return {
    edges: [
      ...new Set([
        ...lengths.slice(0, 3).flatMap(length => [plain(length, 0), plain(length, 1)]),
        plain(ended, 0),
      ]),
    ],
    draw: source => {
      const few = once(source, 6) ? lengths : lengths.slice(0, 16)
      const length = few[source.nextInt(0, few.length - 1)] as number
      return spell(
        length,
        edges => edges[source.nextInt(0, edges.length - 1)] as Edge,
        ranges => {
          const good = nice(ranges)
          if (good.length > 0 && !once(source, 24)) return good[source.nextInt(0, good.length - 1)] as number
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
const known = new WeakMap<readonly Range[], readonly number[]>()

// The ordinary characters of a class, or its first where it has none.
const nice = (ranges: readonly Range[]): readonly number[] => {
  const found = known.get(ranges)
  if (found !== undefined) return found
  const some = ordinary.filter(char => ranges.some(({ min, max }) => min <= char && char <= max))
  const made = some.length > 0 ? some : [(ranges[0] as Range).min]
  known.set(ranges, made)
  return made
}
