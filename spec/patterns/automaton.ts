import type * as Refa from 'refa'
import { inUnicodeMode } from './unicode-mode.ts'

type CharSet = Refa.CharSet
type DFA = Refa.DFA

let loaded: typeof Refa | undefined

// Few contracts need an automaton, and loading the library takes longer than most of a start. Browsers have no `createRequire`: there
// every pattern goes beyond automata.
const refa = (): typeof Refa => {
  const modules = globalThis.process.getBuiltinModule('node:module')
  loaded ??= modules.createRequire(import.meta.url)('refa') as typeof Refa
  return loaded
}

export type Range = { readonly min: number; readonly max: number }
export type Edge = { readonly to: number; readonly ranges: readonly Range[] }

/** A finite automaton as plain tables: states are numbers, transitions are ranges of code points. */
export type Automaton = {
  readonly start: number
  readonly edges: readonly (readonly Edge[])[]
  /** True for each state in which a text may end. */
  readonly ends: readonly boolean[]
}

// Two private-use characters stand for the two ends of a text, so that `^` and `$` become ordinary characters.
const opening = 0xe000
const closing = 0xe001
const last = 0x10ffff

const all = (): CharSet => refa().CharSet.all(last)
// A lone surrogate is not a character either.
const ordinary = (): CharSet =>
  all().without({ min: 0xd800, max: 0xdfff }).without({ min: opening, max: closing })
const one = (char: number): CharSet =>
  refa()
    .CharSet.empty(last)
    .union([{ min: char, max: char }])

const mostStates = 3000

/**
 * Accepts the texts that match all `patterns` and none of `notPatterns`; 'empty' if there are none. Lookaround and
 * backreferences go beyond automata: if a pattern needs them, the result is null or accepts other texts too, so that what
 * it gives has to be checked. `inlineLookaround` reads `(?<=\$)\d` as `\$\d` instead of `\d`.
 */
export const createAutomaton = (
  patterns: readonly string[],
  notPatterns: readonly string[],
  inlineLookaround: boolean,
): Automaton | 'empty' | null => {
  try {
    let whole = allTexts()
    for (const pattern of patterns)
      whole = both(whole, exactly(pattern) ?? approximately(pattern, inlineLookaround))
    for (const pattern of notPatterns) {
      const other = exactly(pattern)
      other?.complement(limit())
      whole = both(whole, other)
    }
    whole.minimize()
    return tabulated(whole)
  } catch {
    // Too many states, or syntax that refa does not support.
    return null
  }
}

/** Accepts the texts that match a pattern; 'empty' if there are none, null if the pattern goes beyond automata or needs too many states. */
export const createExactAutomaton = (pattern: string): Automaton | 'empty' | null => {
  try {
    const whole = exactly(pattern)
    if (whole === null) return null
    const all = both(allTexts(), whole)
    all.minimize()
    return tabulated(all)
  } catch {
    return null
  }
}

const limit = () => new (refa().DFA.LimitedNodeFactory)(mostStates)
const both = (left: DFA, right: DFA | null): DFA =>
  right === null ? left : refa().DFA.fromIntersection(left, right, limit())

const tabulated = (automaton: DFA): Automaton | 'empty' => {
  const nodes = [...automaton.nodes()]
  const index = new Map(nodes.map((node, at) => [node, at]))
  const ends: boolean[] = nodes.map(() => false)
  const edges = nodes.map((node, at) => {
    const charsTo = new Map<number, CharSet>()
    for (const [range, to] of node.out) {
      const chars = refa().CharSet.empty(last).union([range])
      if (chars.has(closing) && automaton.finals.has(to)) ends[at] = true
      const goal = index.get(to) as number
      const rest = chars.intersect(ordinary())
      if (!rest.isEmpty) charsTo.set(goal, charsTo.get(goal)?.union(rest) ?? rest)
    }
    return [...charsTo].map(([to, { ranges }]) => ({ to, ranges }))
  })
  const opened = [...automaton.initial.out].find(([range]) => range.min <= opening && range.max >= opening)
  return opened === undefined ? 'empty' : { start: index.get(opened[1]) as number, edges, ends }
}

/** Every text, between its two ends. */
const allTexts = (): DFA => {
  const builder = new (refa().DFA.Builder)(refa().DFA.nodeFactory)
  const [middle, end] = [builder.createNode(), builder.createNode()]
  builder.linkNodes(builder.initial, middle, one(opening))
  builder.linkNodes(middle, middle, ordinary())
  builder.linkNodes(middle, end, one(closing))
  builder.makeFinal(end)
  return refa().DFA.fromBuilder(builder, { maxCharacter: last })
}

const parsed = (pattern: string, backreferences: 'throw' | 'disable'): SyntaxNode => {
  const literal = refa().JS.Parser.fromLiteral({ source: inUnicodeMode(pattern) ?? pattern, flags: 'u' })
  return anchored(literal.parse({ backreferences }).expression as unknown as SyntaxNode)
}

const approximately = (pattern: string, inlineLookaround: boolean): DFA | null =>
  containing(withoutLookaround(parsed(pattern, 'disable'), inlineLookaround))

/** Accepts the texts that contain a match; null if lookaround remains that only `approximately` can read. */
const exactly = (pattern: string): DFA | null => {
  const syntax = parsed(pattern, 'throw')
  const [only, ...others] = syntax.alternatives ?? []
  const elements = only?.elements ?? []
  const lookaheads = elements
    .slice(1)
    .findIndex(element => element.type !== 'Assertion' || element.kind !== 'ahead')
  if (others.length > 0 || lookaheads < 1 || !isOpening(elements[0])) return containing(syntax)
  // `^(?=A)(?!B)C` matches what begins with A, begins with C, and does not begin with B.
  let whole = containing(sequence([elements[0] as SyntaxNode, ...elements.slice(1 + lookaheads)]))
  for (const element of elements.slice(1, 1 + lookaheads)) {
    const part = containing(sequence([elements[0] as SyntaxNode, group(element.alternatives ?? [])]))
    if (whole === null || part === null) return null
    if (element.negate === true) part.complement(limit())
    whole = both(whole, part)
  }
  return whole
}

const withoutLookaround = (node: SyntaxNode, inline: boolean): SyntaxNode => {
  const inside = (nodes: readonly SyntaxNode[] | undefined) =>
    nodes?.map(child => withoutLookaround(child, inline))
  if (node.type === 'Assertion')
    return inline && node.negate !== true
      ? group(inside(node.alternatives) ?? [])
      : group([{ type: 'Concatenation', elements: [] }])
  return {
    ...node,
    ...(node.alternatives === undefined ? {} : { alternatives: inside(node.alternatives) ?? [] }),
    ...(node.elements === undefined ? {} : { elements: inside(node.elements) ?? [] }),
  }
}

const group = (alternatives: readonly SyntaxNode[]): SyntaxNode => ({ type: 'Alternation', alternatives })
const sequence = (elements: readonly SyntaxNode[]): SyntaxNode => ({
  type: 'Expression',
  alternatives: [{ type: 'Concatenation', elements }],
})
const isOpening = (node: SyntaxNode | undefined): boolean =>
  node?.type === 'CharacterClass' &&
  (node.characters as CharSet).has(opening) &&
  (node.characters as CharSet).size === 1

/** Accepts the texts that contain a match of the syntax; null if it still holds an assertion. */
const containing = (syntax: SyntaxNode): DFA | null => {
  const around = sequence([anything(), group(syntax.alternatives ?? []), anything()])
  const simpler = refa().transform(
    refa().combineTransformers([
      refa().Transformers.applyAssertions(),
      refa().Transformers.removeUnnecessaryAssertions(),
      refa().Transformers.inline(),
      refa().Transformers.removeDeadBranches(),
    ]),
    around as unknown as Refa.NoParent<Refa.Expression>,
  )
  if (holdsAssertion(simpler as unknown as SyntaxNode)) return null
  return refa().DFA.fromFA(
    refa().NFA.fromRegex(
      simpler,
      { maxCharacter: last },
      {},
      new (refa().NFA.LimitedNodeFactory)(mostStates),
    ),
    limit(),
  )
}

const anything = (): SyntaxNode => ({
  type: 'Quantifier',
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: false,
  alternatives: [{ type: 'Concatenation', elements: [{ type: 'CharacterClass', characters: all() }] }],
})

/** A node of refa's syntax tree, loosely typed: refa's types tie each node to its parent. */
type SyntaxNode = {
  readonly type: string
  readonly alternatives?: readonly SyntaxNode[]
  readonly elements?: readonly SyntaxNode[]
  readonly [key: string]: unknown
}

// A copy in which `^` and `$` are the two end characters, and no character class matches these.
const anchored = (node: SyntaxNode): SyntaxNode => {
  if (node.type === 'CharacterClass')
    return {
      ...node,
      parent: undefined,
      characters: (node.characters as CharSet).without(one(opening)).without(one(closing)),
    }
  if (node.type === 'Assertion' && isAnchor(node))
    return { type: 'CharacterClass', characters: one(node.kind === 'behind' ? opening : closing) }
  const { parent: _parent, ...rest } = node
  return {
    ...rest,
    ...(node.alternatives === undefined ? {} : { alternatives: node.alternatives.map(anchored) }),
    ...(node.elements === undefined ? {} : { elements: node.elements.map(anchored) }),
  }
}

const isAnchor = (node: SyntaxNode): boolean => {
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

const holdsAssertion = (node: SyntaxNode): boolean =>
  node.type === 'Assertion' || [...(node.alternatives ?? []), ...(node.elements ?? [])].some(holdsAssertion)
