import {
  CharSet,
  combineTransformers,
  DFA,
  type Expression,
  JS,
  NFA,
  type NoParent,
  Transformers,
  transform,
} from 'refa'
import { once, type Source } from './source.ts'

/** The strings that match some patterns and none of others. */
export type Language = {
  readonly draw: (source: Source) => string
  /** The shortest member and members of the first and last lengths there are. */
  readonly edges: readonly string[]
}

// Two characters that no ordinary text holds stand for its two ends, so that `^` and `$` become characters.
const opening = 0xe000
const closing = 0xe001
const last = 0x10ffff

const all = CharSet.all(last)
// Half a surrogate pair is no character either.
const inner = all.without({ min: 0xd800, max: 0xdfff }).without({ min: opening, max: closing })
const one = (char: number): CharSet => CharSet.empty(last).union([{ min: char, max: char }])

const mostStates = 3000
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
): Language | 'empty' | null => {
  try {
    let whole = texts()
    for (const pattern of patterns)
      whole = both(whole, automatonOf(pattern, false) ?? automatonOf(pattern, true))
    for (const pattern of notPatterns) {
      const other = automatonOf(pattern, false)
      other?.complement(limit())
      whole = both(whole, other)
    }
    whole.minimize()
    return walk(whole, min, max)
  } catch {
    // Too many states, or syntax that the automata do not know.
    return null
  }
}

const limit = () => new DFA.LimitedNodeFactory(mostStates)
const both = (left: DFA, right: DFA | null): DFA =>
  right === null ? left : DFA.fromIntersection(left, right, limit())

/** Every text between its two ends. */
const texts = (): DFA => {
  const builder = new DFA.Builder(DFA.nodeFactory)
  const [middle, end] = [builder.createNode(), builder.createNode()]
  builder.linkNodes(builder.initial, middle, one(opening))
  builder.linkNodes(middle, middle, inner)
  builder.linkNodes(middle, end, one(closing))
  builder.makeFinal(end)
  return DFA.fromBuilder(builder, { maxCharacter: last })
}

/** Texts with their two ends that hold a match; null where lookaround is left, unless that is to be ignored. */
const automatonOf = (pattern: string, ignoreLookaround: boolean): DFA | null => {
  const { expression } = JS.Parser.fromLiteral({ source: pattern, flags: 'u' }).parse({
    assertions: ignoreLookaround ? 'ignore' : 'parse',
    backreferences: ignoreLookaround ? 'disable' : 'throw',
  })
  if (ignoreLookaround) return found(anchored(expression as unknown as Loose))
  const syntax = anchored(expression as unknown as Loose)
  const [only, ...others] = syntax.alternatives ?? []
  const elements = only?.elements ?? []
  const lookaheads = elements
    .slice(1)
    .findIndex(element => element.type !== 'Assertion' || element.kind !== 'ahead')
  if (others.length > 0 || lookaheads < 1 || !isOpening(elements[0])) return found(syntax)
  // `^(?=A)(?!B)C` is all that begins with A and with C and does not begin with B.
  let whole = found(sequence([elements[0] as Loose, ...elements.slice(1 + lookaheads)]))
  for (const element of elements.slice(1, 1 + lookaheads)) {
    const part = found(sequence([elements[0] as Loose, group(element.alternatives ?? [])]))
    if (whole === null || part === null) return null
    if (element.negate === true) part.complement(limit())
    whole = both(whole, part)
  }
  return whole
}

const group = (alternatives: readonly Loose[]): Loose => ({ type: 'Alternation', alternatives })
const sequence = (elements: readonly Loose[]): Loose => ({
  type: 'Expression',
  alternatives: [{ type: 'Concatenation', elements }],
})
const isOpening = (node: Loose | undefined): boolean =>
  node?.type === 'CharacterClass' &&
  (node.characters as CharSet).has(opening) &&
  (node.characters as CharSet).size === 1

const found = (syntax: Loose): DFA | null => {
  const around = sequence([anything(), group(syntax.alternatives ?? []), anything()])
  const simpler = transform(
    combineTransformers([
      Transformers.applyAssertions(),
      Transformers.removeUnnecessaryAssertions(),
      Transformers.inline(),
      Transformers.removeDeadBranches(),
    ]),
    around as unknown as NoParent<Expression>,
  )
  if (holdsAssertion(simpler as unknown as Loose)) return null
  return DFA.fromFA(
    NFA.fromRegex(simpler, { maxCharacter: last }, {}, new NFA.LimitedNodeFactory(mostStates)),
    limit(),
  )
}

const anything = (): Loose => ({
  type: 'Quantifier',
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
  alternatives: [{ type: 'Concatenation', elements: [{ type: 'CharacterClass', characters: all }] }],
})

type Loose = {
  readonly type: string
  readonly alternatives?: readonly Loose[]
  readonly elements?: readonly Loose[]
  readonly [key: string]: unknown
}

// A copy in which `^` and `$` are the two end characters, and no class matches these by itself.
const anchored = (node: Loose): Loose => {
  if (node.type === 'CharacterClass')
    return {
      ...node,
      parent: undefined,
      characters: (node.characters as CharSet).without(one(opening)).without(one(closing)),
    }
  if (node.type === 'Assertion' && isEdge(node))
    return { type: 'CharacterClass', characters: one(node.kind === 'behind' ? opening : closing) }
  const { parent: _parent, ...rest } = node
  return {
    ...rest,
    ...(node.alternatives === undefined ? {} : { alternatives: node.alternatives.map(anchored) }),
    ...(node.elements === undefined ? {} : { elements: node.elements.map(anchored) }),
  }
}

const isEdge = (node: Loose): boolean => {
  const [only, ...others] = node.alternatives ?? []
  const [char, ...more] = only?.elements ?? []
  return (
    node.negate === true &&
    others.length === 0 &&
    more.length === 0 &&
    char?.type === 'CharacterClass' &&
    (char.characters as CharSet).isAll
  )
}

const holdsAssertion = (node: Loose): boolean =>
  node.type === 'Assertion' || [...(node.alternatives ?? []), ...(node.elements ?? [])].some(holdsAssertion)

type Edge = { readonly to: number; readonly chars: CharSet }

const walk = (automaton: DFA, min: number, max: number): Language | 'empty' => {
  const nodes = [...automaton.nodes()]
  const index = new Map(nodes.map((node, at) => [node, at]))
  const inside: Edge[][] = nodes.map(() => [])
  const ends: boolean[] = nodes.map(() => false)
  for (const [at, node] of nodes.entries())
    for (const [range, to] of node.out) {
      const chars = CharSet.empty(last).union([range])
      if (chars.has(closing) && automaton.finals.has(to)) ends[at] = true
      const rest = chars.intersect(inner)
      const goal = index.get(to) as number
      if (rest.isEmpty) continue
      const edges = inside[at] as Edge[]
      const same = edges.findIndex(edge => edge.to === goal)
      if (same < 0) edges.push({ to: goal, chars: rest })
      else edges[same] = { to: goal, chars: (edges[same] as Edge).chars.union(rest) }
    }
  const begun = [...automaton.initial.out].find(([range]) => range.min <= opening && range.max >= opening)
  if (begun === undefined) return 'empty'
  const start = index.get(begun[1]) as number

  // finishes[n][state]: the end can be reached in exactly n more characters.
  const finishes: boolean[][] = [ends]
  const reach = (length: number): boolean[] => {
    for (let made = finishes.length; made <= length; made += 1) {
      const before = finishes[made - 1] as boolean[]
      finishes.push(inside.map(edges => edges.some(({ to }) => before[to])))
    }
    return finishes[length] as boolean[]
  }
  const horizon = Math.min(
    max,
    Math.max(min + window, nodes.length + 1),
    Math.floor(2_000_000 / nodes.length),
  )
  const lengths: number[] = []
  for (let length = min; length <= horizon && lengths.length < window; length += 1)
    if (reach(length)[start]) lengths.push(length)
  const [first] = lengths
  // No length up to the number of states beyond `min`: none at all.
  if (first === undefined) return 'empty'

  const spell = (
    length: number,
    choose: (edges: readonly Edge[]) => Edge,
    char: (chars: CharSet) => number,
  ): string => {
    let at = start
    let text = ''
    for (let rest = length; rest > 0; rest -= 1) {
      const before = reach(rest - 1)
      const edge = choose((inside[at] as Edge[]).filter(({ to }) => before[to]))
      text += String.fromCodePoint(char(edge.chars))
      at = edge.to
    }
    return text
  }
  const plain = (length: number, which: number): string =>
    spell(
      length,
      edges => edges[which % edges.length] as Edge,
      chars => nice(chars)[0] as number,
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
        chars => {
          const good = nice(chars)
          if (good.length > 0 && !once(source, 24)) return good[source.nextInt(0, good.length - 1)] as number
          const { ranges } = chars
          const range = ranges[source.nextInt(0, ranges.length - 1)] as { min: number; max: number }
          return source.nextInt(range.min, Math.min(range.max, range.min + 200))
        },
      )
    },
  }
}

const ordinary = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ .,:/@+'].map(char =>
  char.charCodeAt(0),
)
const known = new WeakMap<CharSet, readonly number[]>()

const nice = (chars: CharSet): readonly number[] => {
  const found = known.get(chars)
  if (found !== undefined) return found
  const some = ordinary.filter(char => chars.has(char))
  const made = some.length > 0 ? some : [(chars.ranges[0] as { min: number }).min]
  known.set(chars, made)
  return made
}
