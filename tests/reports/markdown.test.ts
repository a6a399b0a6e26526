import fc from 'fast-check'
import { lexer, type Token, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { reports, safeLines, safeText } from '../../reports/index.ts'
import { code, codeBlock } from '../../reports/markdown/text.ts'
import { foldLedger, type Ledger, type RunEvent } from '../../spec/index.ts'
import { finding, note, start } from './fixture.ts'
import { anyLedger, anyText } from './ledgers.ts'
import { many } from './many.ts'
import { runs } from './runs.ts'

const told = (events: readonly RunEvent[]): string => reports.markdown.write(foldLedger(events))

/** All tokens of a text, in their order, those within others after them. */
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

test.each(['brokenFive', 'waived', 'inconclusive'] as const)('the exact text of the run %s', async name => {
  await expect(told(runs[name])).toMatchFileSnapshot(`golden/${name}.md`)
})

test('it begins with the verdict, and tells each finding with its answers', () => {
  const tokens = tokensOf(told(runs.brokenFive))
  const headings = tokens.filter(token => token.type === 'heading') as Tokens.Heading[]
  expect(headings[0]?.text).toBe('❌ NOT CONFORMANT: Plant Store 1.0.0')
  expect(headings.slice(1, -1).map(({ text }) => text)).toHaveLength(5)
  const blocks = tokens.filter(token => token.type === 'code') as Tokens.Code[]
  expect(blocks[0]?.text).toContain('wanted    400 application/json with an Error')
  expect(blocks.at(-1)?.text).toBe(
    'plantstore verify https://staging.example.test --spec plant-store.openapi.yaml --seed 4242 --cases 1000',
  )
})

test('it is short enough for a comment, however much is broken, and says what it leaves out', () => {
  const long = Array.from({ length: 400 }, (_, index) =>
    finding('request/body/id/type', { id: String(index), got: 'x'.repeat(5000), curl: 'y'.repeat(2000) }),
  )
  const text = told([...runs.conformant, ...long])
  expect(text.length).toBeLessThan(65_536)
  expect(text.length).toBeGreaterThan(40_000)
  expect(text).toMatch(/… and \d+ more findings: see the other reports of this run\./)
  expect(text).toContain('The same requests again:')
  const wide = told(many(400))
  expect(wide.length).toBeLessThan(65_536)
  expect(wide).toContain('… and 350 more operations.')
  // What is broken stands first where not all fit.
  expect(wide.indexOf('`operation003`')).toBeLessThan(wide.indexOf('`operation000`'))
})

/** What a ledger makes of a page, whatever its texts are. */
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

test('whatever a server says, nothing of it is Markdown', () => {
  fc.assert(fc.property(anyLedger, expectShape))
})

/** Text that is made of what Markdown is made of. */
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

test('the same for text that is made of what Markdown is made of', () => {
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
              obligations: start().obligations.map(own => ({ ...own, promise: a })),
            }),
            finding('request/body/id/type', { wanted: a, got: b, hint: c, curl: d, also: [e] }),
            note(f),
            ...runs.conformant.slice(4),
          ]),
        ),
    ),
  )
})

test('code is what it was, whatever it is', () => {
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

test('nobody is mentioned, no issue is referred to and nothing is a link: all such is code', () => {
  const hostile = 'see @octocat and #12, GH-7, www.example.test, https://example.test/x and me@example.test'
  const text = told([...runs.conformant, note(hostile)])
  const prose = tokensOf(text)
    .filter(({ type }) => type === 'text' || type === 'escape')
    .filter(token => !('tokens' in token))
    .map(({ raw }) => raw)
    .join('')
  expect(prose).not.toMatch(/[@#]|www|https|GH-/)
  expect(text).toContain('`@octocat`')
})
