/**
 * What users read is plain English: no stand-ins for nouns, no sentences turned inside out, none that is too long. The manual is held to
 * the same rules as the texts of the product, and to some more. This is a test, and no linter for prose from elsewhere: vale is a Go program,
 * which only packages that download it in an install script bring; textlint has a reader of Markdown and no rule of ours, so that all of
 * this would still be written here, beside twenty packages more.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedPages, pages, prose, proseIn, wordsOf } from '../scripts/prose.ts'
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

const sentences = (text: string): readonly string[] => text.split(/(?<=[.:;?!]) | · |\n|⏎/)

/** More of the same for whole pages, which are read from one end to the other. */
const rulesOfProse: typeof rules = [
  [
    /(?:^|[.!?:] )(?:Where|What|Those|That|Which|Whether|Of|How) (?![^.!?]*\?)/,
    'What is left out is counted.',
    'The rest is counted.',
  ],
  [
    /\bwhere (?:it|they|that|there|no|nothing|nobody|one|a|an|the|this|these|all|some|any|\w+s) /i,
    'Where the document has no example, it makes one up.',
    'If the document has no example, it makes one up.',
  ],
  [/\bof (?:which|whom|whose)\b/, 'a body of which nothing was read', 'an unread body'],
  [
    /\b(?:shelf|shelves|keepers?|workshops?|mended|learnt|breach(?:es)?)\b/i,
    'what was mended is learnt',
    'the fix is known',
  ],
  [/\b(?:are|is) (?:these|those|such)\b/, 'and so are those in lists', 'lists too'],
]

const faultOf = (text: string, known = rules): string | null => {
  const rule = known.find(([pattern]) => pattern.test(text))
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

test('no page of the manual breaks a rule', () => {
  const texts = prose()
  expect(texts.length).toBeGreaterThan(800)
  const faults = texts.flatMap(({ file, line, text }) => {
    const fault = faultOf(text, [...rules, ...rulesOfProse])
    return fault === null ? [] : [`${file}:${line} ${text} (${fault})`]
  })
  expect(faults).toEqual([])
})

test('the manual has at most 25,000 words that were written by hand', () => {
  const counts = pages()
    .filter(page => page.startsWith('docs/') && !generatedPages.includes(page))
    .map(page => wordsOf(readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')))
  expect(counts.length).toBeGreaterThan(20)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(25_000)
})

test('a changelog of a version that is not out yet is one page', () => {
  const text = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
  expect(wordsOf(text)).toBeLessThanOrEqual(900)
})

test.each([...rules, ...rulesOfProse])('%s: «%s» is better «%s»', (pattern, example, better) => {
  expect(example).toMatch(pattern)
  expect(faultOf(better, [...rules, ...rulesOfProse])).toBeNull()
})

test('prose is found in paragraphs, lists and long cells, and not in code or what is generated', () => {
  const page = `# A heading

A \`code span\` in a [link](a.md).

- one point
  - one inside

| a | b |
|---|---|
| short cell | a cell with quite a few words |

\`\`\`sh
no prose
\`\`\`

<!-- bench:x -->
generated words
<!-- end of bench:x -->
`
  expect(proseIn('docs/a.md', page)).toEqual([
    { file: 'docs/a.md', line: 3, text: 'A ‹code› in a link.' },
    { file: 'docs/a.md', line: 5, text: 'one point' },
    { file: 'docs/a.md', line: 6, text: 'one inside' },
    { file: 'docs/a.md', line: 8, text: 'a cell with quite a few words' },
  ])
})

test('texts are found in strings and templates, and code is not', () => {
  const source = `const a = 'one two three four'; const b = \`the \${a} of three words\`; const c = 'x-y'; import 'a b c d e'`
  expect(textsIn('a.ts', source).map(({ text }) => text)).toEqual([
    'one two three four',
    'the … of three words',
    'a b c d e',
  ])
})
