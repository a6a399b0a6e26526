import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lexer, type Token, type Tokens } from 'marked'
import type { Text } from './words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What commands write into pages, between these comments. */
const generated = /<!-- (bench:[\w-]+) -->[\s\S]*?<!-- end of \1 -->/g
/** Pages that a script writes, with tables of findings and requirements. */
export const generatedPages = ['docs/obligations.md', 'docs/kill-matrix.md', 'docs/frameworks.md']
/** A cell with fewer words is a name or a value. */
const fewestWordsOfCell = 5

/** A page without what commands write into it; lines stay. */
const byHand = (page: string): string => page.replace(generated, text => text.replace(/[^\n]/g, ''))

/** The text of tokens as a reader says it; code is one word. */
const spoken = (tokens: readonly Token[]): string =>
  tokens
    .map(token => {
      if (token.type === 'codespan') return '‹code›'
      if (token.type === 'image' || token.type === 'html') return ''
      if (token.type === 'br') return ' '
      return 'tokens' in token && token.tokens !== undefined ? spoken(token.tokens) : token.raw
    })
    .join('')
    .replaceAll('\n', ' ')

const cellsOf = ({ rows }: Tokens.Table): readonly string[] =>
  rows
    .flat()
    .map(({ tokens }) => spoken(tokens))
    .filter(text => (text.match(/\p{L}{2,}/gu) ?? []).length >= fewestWordsOfCell)

/** The paragraphs, points of lists and cells with sentences of a page, with their lines; no code, no headings, nothing that is generated. */
export const proseIn = (file: string, page: string): readonly Text[] => {
  const text = byHand(page)
  const texts: Text[] = []
  const visit = (tokens: readonly Token[], start: number): void => {
    let line = start
    for (const token of tokens) {
      const add = (found: string): void => {
        if (found.trim() !== '') texts.push({ file, line, text: found.trim() })
      }
      if (token.type === 'paragraph' || token.type === 'text') add(spoken(token.tokens ?? [token]))
      if (token.type === 'blockquote') visit((token as Tokens.Blockquote).tokens, line)
      if (token.type === 'list') {
        let from = line
        for (const item of (token as Tokens.List).items) {
          visit(item.tokens, from)
          from += item.raw.split('\n').length - 1
        }
      }
      if (token.type === 'table' && !generatedPages.includes(file))
        for (const cell of cellsOf(token as Tokens.Table)) add(cell)
      line += token.raw.split('\n').length - 1
    }
  }
  visit(lexer(text), 1)
  return texts
}

/** The pages that people read: README, CONTRIBUTING and the manual. */
export const pages = (): readonly string[] => [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root })
    .map(file => file.replaceAll('\\', '/'))
    .toSorted(),
]

export const prose = (): readonly Text[] =>
  pages().flatMap(file => proseIn(file, readFileSync(`${root}${file}`, 'utf8')))

/** How many words a page has that were written by hand, with examples: what has a letter or a digit. */
export const wordsOf = (page: string): number => (byHand(page).match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length
