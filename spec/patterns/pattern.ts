import { type Automaton, createExactAutomaton, type Edge } from './automaton.ts'
import { inUnicodeMode } from './unicode-mode.ts'

/** A `pattern` as JSON Schema reads it: ECMA-262, in Unicode mode if it is valid there, matching anywhere in the text. */
export type Pattern = { readonly test: (text: string) => boolean }

/** A text that is too short for backtracking to take long. */
const shortText = 12

/** Milliseconds for one text, if a pattern goes beyond automata. */
const usualPatience = 100

/**
 * Compiles a pattern of a contract, whose author is not trusted: a test takes time in proportion to the text. `RegExp` can take for ever
 * on `^(a+)+$`, so it is used if the pattern is surely harmless or the text is short; an automaton otherwise; and for what goes beyond
 * automata (backreferences, most lookaround) `RegExp` with a time limit: a text that it cannot decide in time counts as a match. Throws
 * SyntaxError.
 */
export const compilePattern = (pattern: string, patienceMs: number = usualPatience): Pattern => {
  const unicode = inUnicodeMode(pattern)
  const native = unicode === null ? new RegExp(pattern) : new RegExp(unicode, 'u')
  if (isHarmless(pattern)) return native
  let slow: ((text: string) => boolean) | undefined
  return {
    test: text => {
      if (text.length <= shortText) return native.test(text)
      slow ??= linear(unicode, native, patienceMs)
      return slow(text)
    },
  }
}

/** With one repetition at most, at a place that the start of the text fixes, there is nothing to try again. */
const isHarmless = (pattern: string): boolean => {
  const plain = pattern.replace(/\\[pPxu]\{[^{}]*\}|\\[^1-9k]/gu, 'x').replace(/\[(?:\\.|[^\]\\])*\]?/g, 'x')
  if (/\\|\(\?[=!<]|\)[*+{]/.test(plain)) return false
  const repeated = plain.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0
  return repeated === 0 || (repeated === 1 && plain.startsWith('^') && !plain.includes('|'))
}

const linear = (pattern: string | null, native: RegExp, patienceMs: number): ((text: string) => boolean) => {
  const automaton = pattern === null ? null : createExactAutomaton(pattern)
  const limited = withTimeLimit(native, patienceMs)
  if (automaton === null) return limited
  if (automaton === 'empty') return () => false
  const matches = createMatcher(automaton)
  // Lone surrogates and the two private characters by which the automaton knows the ends are not in its alphabet.
  return text => (text.isWellFormed() && !/[\ue000\ue001]/.test(text) ? matches(text) : limited(text))
}

const withTimeLimit = (native: RegExp, patienceMs: number): ((text: string) => boolean) => {
  // A browser has none, nor contracts of others.
  const vm = globalThis.process?.getBuiltinModule?.('node:vm')
  if (vm === undefined) return text => native.test(text)
  const context = vm.createContext({ native, text: '' })
  const script = new vm.Script('native.test(text)')
  return text => {
    context.text = text
    try {
      return script.runInContext(context, { timeout: patienceMs }) as boolean
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return true
      throw error
    }
  }
}

/** Whether an automaton accepts a text, in time proportional to the text. */
const createMatcher = ({ start, edges, ends }: Automaton): ((text: string) => boolean) => {
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

/**
 * A pattern without anchors may match anywhere in a text, but most servers read it as the whole text: so valid texts are made to match
 * as a whole, which suits both. The same pattern comes back if its author shows to know anchors, or asks for some character only, as `\S`
 * does.
 */
export const wholePattern = (pattern: string): string => {
  const outside = pattern.replace(/\\[^bB]|\[(?:\\.|[^\]\\])*\]?/gs, 'x')
  const isAnchored = /[\^$]|\\[bB]|\(\?<?[=!]/.test(outside)
  return isAnchored || isAnythingBut.test(pattern) ? pattern : `^(?:${pattern})$`
}

const isAnythingBut = /^(?:\.|\\[SDW]|\[\^(?:\\.|[^\]\\])*\])$/s

type Keywords = { readonly keywords: readonly { readonly keyword: string; readonly value: unknown }[] }

/** How a text matches the patterns of a place: some servers do not look for a match inside a text. */
export const matchOf = ({ keywords }: Keywords, text: string): 'whole' | 'part' | null => {
  const patterns = keywords.flatMap(({ keyword, value }) =>
    keyword === 'pattern' && typeof value === 'string' ? [value] : [],
  )
  if (patterns.every(pattern => compiled(wholePattern(pattern)).test(text))) return 'whole'
  return patterns.every(pattern => compiled(pattern).test(text)) ? 'part' : null
}

// The same few patterns are asked for with every case.
const known = new Map<string, Pattern>()

const compiled = (pattern: string): Pattern => {
  const made = known.get(pattern) ?? compilePattern(pattern)
  known.set(pattern, made)
  return made
}
