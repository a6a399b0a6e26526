import { type Document, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { checkExpansion, type DuplicateName, duplicatesIn, tooDeep } from '../json/scan.ts'

export type YamlFile = { readonly document: Document; readonly lines: LineCounter }

/** What is wrong with a text, by line. */
export type TextProblem = { readonly message: string; readonly line: number }

/** Finding what an alias stands for takes time in proportion to the aliases before it. */
const mostAliases = 5000

/** Parses YAML or JSON (a subset of YAML), with the line of every place. Throws Error if nobody could have meant it as a document. */
export const parseYaml = (text: string): YamlFile => {
  const lines = new LineCounter()
  // Keys that are used twice are found below: the parser compares each key with all others.
  const options = { lineCounter: lines, uniqueKeys: false, merge: true, prettyErrors: false }
  const document = parseDocument(text, options)
  if (document.errors.some(({ message }) => /call stack/.test(message))) throw new Error(tooDeep)
  let aliases = 0
  visit(document, {
    Alias: () => {
      aliases += 1
      if (aliases > mostAliases) throw new Error(`it has more than ${mostAliases} aliases`)
    },
  })
  return { document, lines }
}

/** Reading YAML takes some 25 µs a line. The largest documents that are published have 400,000. */
const mostLines = 1_000_000

/** The same text. Throws Error if it would take half a minute to read it as YAML. */
export const withFewLines = (text: string): string => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines <= mostLines) return text
  throw new Error(`it has more than ${mostLines.toLocaleString('en-US')} lines of YAML: convert it to JSON`)
}

/** The value of a text without errors. Throws Error if it is nested too deeply, or its aliases expand to too much. */
export const yamlValue = ({ document }: YamlFile): unknown => {
  const value: unknown = document.toJS({ maxAliasCount: 1000 })
  checkExpansion(value)
  return value
}

/** The first error of a text after which it cannot be read; null if there is none. */
export const syntaxProblem = ({ document, lines }: YamlFile): TextProblem | null => {
  const [error] = document.errors
  return error === undefined
    ? null
    : { message: error.message.split('\n')[0] ?? '', line: lines.linePos(error.pos[0]).line }
}

/** The names that an object of the text has twice. The last one counts, as in every parser. */
export const repeatedKeys = ({ document, lines }: YamlFile): readonly TextProblem[] => {
  const found: TextProblem[] = []
  visit(document, {
    Map: (_, { items }) => {
      const names = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const name = String(key.value)
        if (names.has(name) && name !== '<<')
          found.push({ message: twice(name), line: lines.linePos(key.range?.[0] ?? 0).line })
        names.add(name)
      }
    },
  })
  return found
}

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
