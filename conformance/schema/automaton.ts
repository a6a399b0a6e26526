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

export type Range = { readonly min: number; readonly max: number }
export type Edge = { readonly to: number; readonly ranges: readonly Range[] }

/** A machine that reads texts character by character, as plain numbers. */
type Automaton = {
  readonly start: number
  readonly edges: readonly (readonly Edge[])[]
  /** Whether a text may end in the state. */
  readonly ends: readonly boolean[]
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

/**
 * The texts that match all `patterns` and none of `notPatterns`; 'empty' where there are none. Where a pattern needs
 * more than automata can tell: null, or a machine that reads other texts than those; `read` is for what lookaround
 * looks for, as in `(?<=\$)\d`, to be read as if it stood there by itself.
 */
export const createAutomaton = (
  patterns: readonly string[],
  notPatterns: readonly string[],
  read: boolean,
): Automaton | 'empty' | null => {
  try {
    let whole = texts()
    for (const pattern of patterns)
      whole = both(whole, automatonOf(pattern) ?? automatonWithout(pattern, read))
    for (const pattern of notPatterns) {
      const other = automatonOf(pattern)
      other?.complement(limit())
      whole = both(whole, other)
    }
    whole.minimize()
    return plain(whole)
  } catch {
    // Too many states, or syntax that the automata do not know.
    return null
  }
}

const limit = () => new DFA.LimitedNodeFactory(mostStates)
const both = (left: DFA, right: DFA | null): DFA =>
  right === null ? left : DFA.fromIntersection(left, right, limit())

const plain = (automaton: DFA): Automaton | 'empty' => {
  const nodes = [...automaton.nodes()]
  const index = new Map(nodes.map((node, at) => [node, at]))
  const ends: boolean[] = nodes.map(() => false)
  const edges = nodes.map((node, at) => {
    const ways = new Map<number, CharSet>()
    for (const [range, to] of node.out) {
      const chars = CharSet.empty(last).union([range])
      if (chars.has(closing) && automaton.finals.has(to)) ends[at] = true
      const goal = index.get(to) as number
      const rest = chars.intersect(inner)
      if (!rest.isEmpty) ways.set(goal, ways.get(goal)?.union(rest) ?? rest)
    }
    return [...ways].map(([to, { ranges }]) => ({ to, ranges }))
  })
  const begun = [...automaton.initial.out].find(([range]) => range.min <= opening && range.max >= opening)
  return begun === undefined ? 'empty' : { start: index.get(begun[1]) as number, edges, ends }
}

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

const parsed = (pattern: string, backreferences: 'throw' | 'disable'): Loose => {
  const literal = JS.Parser.fromLiteral({ source: pattern, flags: 'u' })
  return anchored(literal.parse({ backreferences }).expression as unknown as Loose)
}

const automatonWithout = (pattern: string, read: boolean): DFA | null =>
  found(withoutLookaround(parsed(pattern, 'disable'), read))

/** Texts with their two ends that hold a match; null where lookaround is left. */
const automatonOf = (pattern: string): DFA | null => {
  const syntax = parsed(pattern, 'throw')
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

const withoutLookaround = (node: Loose, read: boolean): Loose => {
  const inside = (nodes: readonly Loose[] | undefined) => nodes?.map(child => withoutLookaround(child, read))
  if (node.type === 'Assertion')
    return read && node.negate !== true
      ? group(inside(node.alternatives) ?? [])
      : group([{ type: 'Concatenation', elements: [] }])
  return {
    ...node,
    ...(node.alternatives === undefined ? {} : { alternatives: inside(node.alternatives) ?? [] }),
    ...(node.elements === undefined ? {} : { elements: inside(node.elements) ?? [] }),
  }
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
