import { existsSync, readFileSync } from 'node:fs'
import { DocumentError } from '../errors.ts'
import type { DocumentNode } from '../json/follow-refs.ts'
import { type Pointer, valueAt } from '../json/pointer.ts'
import { parseYaml, repeatedKeys, syntaxProblem, yamlValue } from './parse-text.ts'
import { shownFile } from './source-map.ts'

/** One sentence of an interface document, and what covers it. */
export type InterfaceClause = {
  /** Unique and readable: `create/rule-3`. */
  readonly id: string
  /** Its place in the interface document: `Endpoints, Create plant, rule 3`. */
  readonly at: string
  /** Its text. */
  readonly text: string
  /** Places of the OpenAPI document with the same meaning: all obligations of a place cover the clause. */
  readonly places: readonly Pointer[]
  /** Further obligations that cover it, by patterns. */
  readonly obligations: readonly string[]
  /** Why it cannot be tested from outside; null if it can. */
  readonly untestable: string | null
}

/** The contents of a file `NAME.rules.yaml`: the interface document behind an OpenAPI document. */
export type Rules = {
  /** The rules of the interface document, by pointers into the OpenAPI document. */
  readonly places: Readonly<Record<Pointer, string>>
  /** All clauses; null if the file lists none, so that those of the OpenAPI document count. */
  readonly clauses: readonly InterfaceClause[] | null
}

export const noRules: Rules = { places: {}, clauses: null }

/** Reads the file `NAME.rules.yaml` beside a document, if there is one. Throws DocumentError with all its problems. */
export const readRules = (root: string, document: unknown, reads: (path: string) => void): Rules => {
  const file = root.replace(/(\.openapi)?\.(ya?ml|json)$/i, '.rules.yaml')
  if (file === root) return noRules
  reads(file)
  return existsSync(file) ? rulesOf(readYaml(file), shownFile(file), document) : noRules
}

const readYaml = (file: string): unknown => {
  try {
    const yaml = parseYaml(readFileSync(file, 'utf8'))
    const problem = syntaxProblem(yaml) ?? repeatedKeys(yaml)[0]
    if (problem !== undefined) throw new Error(`line ${problem.line}: ${problem.message}`)
    return yamlValue(yaml)
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]
    throw new DocumentError([{ message: `${shownFile(file)} cannot be read: ${why}`, place: null }])
  }
}

const rulesOf = (value: unknown, file: string, document: unknown): Rules => {
  const invalid = (message: string): never => {
    throw new DocumentError([{ message: `${file}: ${message}`, place: null }])
  }
  if (!isTable(value)) return invalid('it must be a table with `places` and `clauses`')
  const unknown = Object.keys(value).find(name => name !== 'places' && name !== 'clauses')
  if (unknown !== undefined) invalid(`a rules file has places and clauses, not ${unknown}`)
  const { places = {}, clauses } = value
  if (!isTable(places) || !Object.values(places).every(isText))
    invalid('places must be pointers, each with a text')
  const rows = Array.isArray(clauses) ? clauses.map(row => clauseOf(row, invalid)) : null
  if (clauses !== undefined && rows === null) invalid('clauses must be a list')
  const rules: Rules = { places: places as Rules['places'], clauses: rows }
  const problems = problemsOf(rules, document)
  if (problems.length > 0)
    throw new DocumentError(problems.map(message => ({ message: `${file}: ${message}`, place: null })))
  return rules
}

const isTable = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const known = new Set(['id', 'at', 'text', 'places', 'obligations', 'untestable'])

const clauseOf = (row: unknown, invalid: (message: string) => never): InterfaceClause => {
  if (!isTable(row) || !isText(row.id)) return invalid('a clause has no id')
  const { id, at, text, places = [], obligations = [], untestable } = row
  const other = Object.keys(row).find(name => !known.has(name))
  if (other !== undefined) return invalid(`the clause ${id} has the unknown field ${other}`)
  if (!isText(at) || !isText(text)) return invalid(`the clause ${id} must have its place (at) and its text`)
  if (!isTexts(places) || !isTexts(obligations))
    return invalid(`places and obligations of the clause ${id} must be lists of texts`)
  if (untestable !== undefined && !isText(untestable))
    return invalid(`the clause ${id} must say why it is untestable`)
  return { id, at, text, places, obligations, untestable: untestable ?? null }
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)

const problemsOf = ({ places, clauses }: Rules, document: unknown): readonly string[] => {
  const named = [
    ...Object.keys(places).map(place => ({ place, by: 'places' })),
    ...(clauses ?? []).flatMap(clause =>
      clause.places.map(place => ({ place, by: `the clause ${clause.id}` })),
    ),
  ]
  const ids = (clauses ?? []).map(({ id }) => id)
  return [
    ...named
      .filter(({ place }) => valueAt(document, place) === undefined)
      .map(({ place, by }) => `${by} names ${place}, which is not in the document`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `there are two clauses ${id}`),
    ...(clauses ?? []).flatMap(({ id, places: covering, obligations, untestable }) =>
      (covering.length + obligations.length === 0) === (untestable === null)
        ? [`the clause ${id} needs either places or obligations that cover it, or a reason (untestable)`]
        : [],
    ),
  ]
}
