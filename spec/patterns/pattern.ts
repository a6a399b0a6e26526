import { createExactAutomaton } from './automaton.ts'
import { createMatcher } from './matcher.ts'
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
