import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExactAutomaton } from '../../../spec/patterns/automaton.ts'
import { compilePattern } from '../../../spec/patterns/pattern.ts'
import { cpuTime } from '../../cpu-time.ts'

/** Patterns on which backtracking takes for ever, with a text that shows it. */
const evil: readonly (readonly [pattern: string, text: string])[] = [
  ['^(a|a)*$', `${'a'.repeat(5000)}!`],
  ['^(a+)+b$', 'a'.repeat(5000)],
  ['(a+)+b', 'a'.repeat(5000)],
  ['^(.*a){25}$', `${'a'.repeat(500)}!`],
  ['^(\\w+\\s?)+$', `${'word '.repeat(1000)}!`],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a'.repeat(5000),
  ],
  ['^(?=.*\\d)(?=.*[a-z])(a|a)*.{8,}$', `${'a'.repeat(5000)}\n`],
  ['\\s+$', `${' '.repeat(50_000)}x`],
]

test.each(evil)('%s is decided at once', (pattern, text) => {
  const began = cpuTime()
  expect(compilePattern(pattern).test(text)).toBe(false)
  expect(cpuTime() - began).toBeLessThan(3000)
})

test('what goes beyond automata and cannot be decided in time counts as a match', () => {
  const { test: matches } = compilePattern('^((a+)+)\\1?b$')
  expect(createExactAutomaton('^((a+)+)\\1?b$')).toBeNull()
  const began = cpuTime()
  expect(matches('a'.repeat(60))).toBe(true)
  expect(cpuTime() - began).toBeLessThan(3000)
  expect(matches(`${'a'.repeat(20)}b`)).toBe(true)
  expect(matches(`${'c'.repeat(20)}b`)).toBe(false)
})

test('a pattern that is no regular expression is an error', () => {
  expect(() => compilePattern('(((')).toThrow(SyntaxError)
})

const patterns = [
  '^[a-z]+-[a-z]+$',
  '^([a-z0-9]+(-[a-z0-9]+)*)$',
  '(a|b)*c',
  '^(?:[a-z]+|\\d+)+(x|y)*$',
  '^\\p{Lu}\\p{L}*( \\p{L}+)*$',
  '^[^@\\s]+@[^@\\s]+$',
  '^(?=.*\\d)(?=.*[a-z]).{3,}$',
  '^(?!.*ab)[a-c]+$',
  '.*\\.(png|jpe?g)',
  '^(.|\\n)*$',
  '\\bword\\b.*\\d+',
  '^.{2,5}[𝒜-𝒵]*$',
]

// On a busy machine a tenth of a second can go by between two characters.
const patient = 20_000

test('a pattern decides as RegExp does', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'abc-@. 1Ax\n'), maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.stringMatching(/^[a-z]{5,9}(-[a-z0-9]{2,6})*$/),
  )
  const compiled = patterns.map(
    pattern => [compilePattern(pattern, patient), new RegExp(pattern, 'u')] as const,
  )
  fc.assert(
    fc.property(fc.constantFrom(...compiled), text, ([ours, theirs], value) => {
      expect(ours.test(value)).toBe(theirs.test(value))
    }),
    { numRuns: 3000 },
  )
})
