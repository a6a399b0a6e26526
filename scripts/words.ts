/**
 * Prints every text in the product that a user may read, with its place, so that they can be read aloud as one list: `npm run words`. A `…` stands for
 * what is filled in.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

export type Text = { readonly file: string; readonly line: number; readonly text: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = ['spec', 'generator', 'conformance', 'mock', 'reports', 'cli']
/** What is shorter is a name, a header or a part of another text. */
const fewestWords = 4

/** The texts of a file, in their order. */
export const textsIn = (file: string, source: string): readonly Text[] => {
  const texts: Text[] = []
  const add = (start: number, text: string): void => {
    if (isProse(text)) texts.push({ file, line: source.slice(0, start).split('\n').length, text })
  }
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value)
    },
    TemplateLiteral: ({ quasis, start }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? '').join('…')),
  }).visit(parseSync(file, source).program)
  return texts
}

const isProse = (text: string): boolean =>
  (text.match(/\p{L}+/gu) ?? []).length >= fewestWords &&
  /\p{L} \p{L}/u.test(text) &&
  !/[{};]\s*\n|<\w+|=>/.test(text)

/** All texts of the product. */
export const words = (): readonly Text[] =>
  rooms
    .flatMap(room => globSync(`${room}/**/*.ts`, { cwd: root }).toSorted())
    .filter(file => !file.includes('/page/'))
    .flatMap(file => textsIn(file, readFileSync(`${root}${file}`, 'utf8')))

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { file, line, text } of words()) console.log(`${file}:${line}\t${text.replaceAll('\n', '⏎')}`)
