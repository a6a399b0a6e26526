import fc from 'fast-check'
import { lexer, type Token, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { code, codeBlock } from '../../../reports/formats/markdown/page.ts'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type Ledger, type RunEvent, safeLines, safeText } from '../../../spec/index.ts'
import { finding, note, start } from '../fixture.ts'
import { anyLedger, anyText } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

const page = (events: readonly RunEvent[]): string => reports.markdown.write(foldLedger(events))

/** All tokens of a text in order, nested ones after their parents. */
const tokensOf = (text: string): readonly Token[] => {
  const all: Token[] = []
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      all.push(token)
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        for (const { tokens } of [...header, ...rows.flat()]) walk(tokens)
      }
      if (token.type === 'list') walk((token as Tokens.List).items)
      if ('tokens' in token && token.tokens !== undefined) walk(token.tokens)
    }
  }
  walk(lexer(text, { gfm: true }))
  return all
}

const count = (tokens: readonly Token[], type: string): number =>
  tokens.filter(token => token.type === type).length

test.each(['fiveFailures', 'waived', 'inconclusive', 'partial'] as const)(
  'the exact text of the run %s',
  async name => {
    await expect(page(runs[name])).toMatchFileSnapshot(`golden/${name}.md`)
  },
)

test('it begins with the verdict, and has each finding with its evidence', () => {
  const tokens = tokensOf(page(runs.fiveFailures))
  const headings = tokens.filter(token => token.type === 'heading') as Tokens.Heading[]
  expect(headings[0]?.text).toBe('❌ NOT CONFORMANT (11 of 16 MUST passed): Plant Store 1.0.0')
  expect(headings.slice(1, -1).map(({ text }) => text)).toHaveLength(5)
  const blocks = tokens.filter(token => token.type === 'code') as Tokens.Code[]
  expect(blocks[0]?.text).toContain('expected     400 application/json with an Error')
  expect(headings[1]?.text).toBe('1. accepted `id` as a string of digits ("0")')
  expect(blocks.at(-1)?.text).toBe(
    'plantstore verify https://staging.example.test --spec plant-store.openapi.yaml --seed 4242 --cases 1000',
  )
})

test('it is short enough for a comment however much fails, and says what it leaves out', () => {
  const long = Array.from({ length: 400 }, (_, index) =>
    finding('request/body/id/type', {
      id: String(index),
      expected: String(index),
      actual: 'x'.repeat(5000),
      curl: 'y'.repeat(2000),
    }),
  )
  const text = page([...runs.conformant, ...long])
  expect(text.length).toBeLessThan(65_536)
  expect(text.length).toBeGreaterThan(40_000)
  expect(text).toMatch(/… and \d+ more causes: see the other reports of this run\./)
  expect(text).toContain('Reproduce this run:')
  const wide = page(many(400))
  expect(wide.length).toBeLessThan(65_536)
  expect(wide).toContain('… and 350 more operations.')
  // If not all fit, failures come first.
  expect(wide.indexOf('`operation003`')).toBeLessThan(wide.indexOf('`operation000`'))
})

/** Expects the structure that follows from a ledger, whatever its texts are. */
const expectShape = (ledger: Ledger): void => {
  const text = reports.markdown.write(ledger)
  expect(text.length).toBeLessThan(65_536)
  const tokens = tokensOf(text)
  for (const foreign of ['html', 'link', 'image', 'blockquote', 'hr', 'def', 'em', 'del', 'checkbox'])
    expect(count(tokens, foreign), foreign).toBe(0)
  expect(count(tokens, 'table')).toBe(1)
  const table = tokens.find(token => token.type === 'table') as Tokens.Table
  expect(table.rows).toHaveLength(ledger.start.operations.length)
  expect(count(tokens, 'heading')).toBe(ledger.findings.length + 2)
  expect(count(tokens, 'code')).toBe(ledger.findings.length + 1)
}

test('no text from a server is Markdown', () => {
  fc.assert(fc.property(anyLedger, expectShape))
})

/** Text made of Markdown's special characters. */
const mark = fc.string({
  unit: fc.constantFrom(
    ...'`|*_~[](){}<>!#+-.=&\\:"\' 1ax\n',
    '```',
    '---',
    '@user',
    '#1',
    'https://a.test',
    '<b>',
    '-->',
    '\n\n',
    '    ',
  ),
  maxLength: 40,
})

test('no text made of Markdown’s special characters is Markdown either', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(mark, anyText), { minLength: 6, maxLength: 6 }),
      ([a = '', b = '', c = '', d = '', e = '', f = '']) =>
        expectShape(
          foldLedger([
            start({
              contract: { title: a, version: b, openapi: c, digest: d, source: e },
              target: f,
              operations: [{ id: 'createPlant', method: a, path: b, summary: c }],
              obligations: start().obligations.map(obligation => ({ ...obligation, requirement: a })),
            }),
            finding('request/body/id/type', {
              title: f,
              expected: a,
              actual: b,
              hint: c,
              curl: d,
              also: [e],
            }),
            note(f),
            ...runs.conformant.slice(4),
          ]),
        ),
    ),
  )
})

test('any text is unchanged as code', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(mark, anyText)), fc.oneof(mark, anyText), (texts, text) => {
      const lines = ['first', ...texts.flatMap(safeLines), 'last']
      const block = codeBlock(lines).join('\n')
      expect(lexer(block).filter(({ type }) => type !== 'space')).toMatchObject([
        { type: 'code', lang: 'text', text: lines.join('\n') },
      ])
      const [paragraph] = lexer(`a ${code(text)} b`) as Tokens.Paragraph[]
      const span = paragraph?.tokens.find(({ type }) => type === 'codespan') as Tokens.Codespan | undefined
      expect(span?.text ?? '').toBe(safeText(text).trim() === '' ? '' : safeText(text))
    }),
  )
})

test('nobody is mentioned, no issue is referred to and nothing is a link: all that is code', () => {
  const hostile = 'see @octocat and #12, GH-7, www.example.test, https://example.test/x and me@example.test'
  const text = page([...runs.conformant, note(hostile)])
  const prose = tokensOf(text)
    .filter(({ type }) => type === 'text' || type === 'escape')
    .filter(token => !('tokens' in token))
    .map(({ raw }) => raw)
    .join('')
  expect(prose).not.toMatch(/[@#]|www|https|GH-/)
  expect(text).toContain('`@octocat`')
})
