import { type Document, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { type DuplicateName, duplicatesIn } from '../json/scan.ts'

export type YamlFile = { readonly document: Document; readonly lines: LineCounter }

/** What is wrong with a text, by line. */
export type TextProblem = { readonly message: string; readonly line: number }

/** Parses YAML or JSON (a subset of YAML), with the line of every place. */
export const parseYaml = (text: string): YamlFile => {
  const lines = new LineCounter()
  return { document: parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: true }), lines }
}

/** The first error of a text after which it cannot be read; null if there is none. */
export const syntaxProblem = ({ document, lines }: YamlFile): TextProblem | null => {
  const error = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY')
  return error === undefined
    ? null
    : {
        message: `cannot be read: ${error.message.split('\n')[0]?.replace(/ at line \d+.*$/, '')}`,
        line: lines.linePos(error.pos[0]).line,
      }
}

/** The names that an object of the text has twice. The last one counts, as in every parser. */
export const repeatedKeys = ({ document, lines }: YamlFile, text: string): readonly TextProblem[] =>
  document.errors
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [start] }) => ({
      message: twice(
        /^(?:"([^"]*)"|'([^']*)'|([^:\n]*))/
          .exec(text.slice(start, start + 200))
          ?.slice(1)
          .join('') ?? '',
      ),
      line: lines.linePos(start).line,
    }))

const twice = (name: string): string => `the key "${name.trim()}" is used twice: only the last one counts`

/** The value of a JSON text; undefined for any other text: the YAML parser says what is wrong. */
export const parsePlainJson = (text: string): unknown => {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A generated document may repeat thousands, and finding a line takes time in proportion to the text. */
const mostRepeated = 100

export const repeatedNames = (text: string): readonly TextProblem[] =>
  duplicatesIn(text)
    .slice(0, mostRepeated)
    .map(({ name, at }: DuplicateName) => ({
      message: twice(name),
      line: text.slice(0, at).split('\n').length,
    }))

/** The pair of a map with this name; of several, the last one, which counts. */
export const pairOf = (items: readonly unknown[], name: string) =>
  items.findLast(item => isPair(item) && isScalar(item.key) && String(item.key.value) === name)
