/** What users read is plain English: no stand-ins for nouns, no sentences turned inside out, none that is too long. */
import { expect, test } from 'vitest'
import { textsIn, words } from '../scripts/words.ts'

/** Patterns that make a reader stop, each with an example and what to write in its place. */
const rules: readonly (readonly [pattern: RegExp, example: string, better: string])[] = [
  [/\b(?:that|those) of\b/i, 'default: that of the document', 'default: the folder of the document'],
  [/\b(?:is|are) none\b/, 'its time is none', 'it has no time'],
  [
    /, where that\b|\bwhere (?:it|they) (?:is|are|has|have)\b/,
    'name it, where that is known',
    'name it, if it is known',
  ],
  [
    /\bwhat (?:\S+ ){0,3}(?:says|said) of (?:it|them)\b/,
    'what it says of them cannot be used',
    'it describes them in a way …',
  ],
  [/\bof which none\b/, 'an operation of which none is left', 'an operation with none left'],
  [/\b(?:are|is) these more\b|\bthese are more\b/, 'at most 4, and these are more', 'too many: 5, limit 4'],
  [/\bhas it the\b|\bhave they the\b/, 'has it the rights?', 'does it have the rights?'],
  [
    /\bno other \S+ (?:is|are) \S+ than\b/,
    'no other tokens are right than those',
    'accept only these tokens',
  ],
  [/\bwhat is there\b/, 'add it to what is there', 'add it to the others'],
]

const longestSentence = 30

const sentences = (text: string): readonly string[] => text.split(/(?<=[.:;?!]) |\n|⏎/)

const faultOf = (text: string): string | null => {
  const rule = rules.find(([pattern]) => pattern.test(text))
  if (rule !== undefined) return `${rule[0]}`
  const long = sentences(text).find(sentence => sentence.split(/\s+/).length > longestSentence)
  return long === undefined ? null : `${long.split(/\s+/).length} words: ${long}`
}

test('no text of the product breaks a rule', () => {
  const texts = words()
  expect(texts.length).toBeGreaterThan(1500)
  const faults = texts.flatMap(({ file, line, text }) => {
    const fault = faultOf(text)
    return fault === null ? [] : [`${file}:${line} ${text} (${fault})`]
  })
  expect(faults).toEqual([])
})

test.each(rules)('%s: «%s» is better «%s»', (pattern, example, better) => {
  expect(example).toMatch(pattern)
  expect(faultOf(better)).toBeNull()
})

test('texts are found in strings and templates, and code is not', () => {
  const source = `const a = 'one two three four'; const b = \`the \${a} of three words\`; const c = 'x-y'; import 'a b c d e'`
  expect(textsIn('a.ts', source).map(({ text }) => text)).toEqual([
    'one two three four',
    'the … of three words',
    'a b c d e',
  ])
})
