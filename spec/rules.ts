import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Node } from './node.ts'
import { type Pointer, valueAt } from './pointer.ts'
import { DocumentError } from './problem.ts'
import { shownFile } from './source.ts'

/** One sentence of an interface document, and what holds a server to it. */
export type InterfaceClause = {
  /** Unique and readable: `create/rule-3`. */
  readonly id: string
  /** Where it stands in the interface document: `Endpoints, Create plant, rule 3`. */
  readonly at: string
  /** What it says. */
  readonly text: string
  /** Places of the OpenAPI document that say the same: all obligations of a place cover the clause. */
  readonly places: readonly Pointer[]
  /** Obligations that cover it besides: an id, its beginning, or with `*`. */
  readonly obligations: readonly string[]
  /** Why it cannot be tested from outside; null where it can. */
  readonly untestable: string | null
}

/** What a file `NAME.rules.yaml` says: the interface document behind an OpenAPI document. */
export type Rules = {
  /** Rules of the interface document by the pointers that they are written down at. */
  readonly places: Readonly<Record<Pointer, string>>
  /** All its clauses; null: it has none, and the OpenAPI document speaks for itself. */
  readonly clauses: readonly InterfaceClause[] | null
}

export const noRules: Rules = { places: {}, clauses: null }

/**
 * Reads the file `NAME.rules.yaml` beside a document, where there is one. Throws DocumentError with each clause and
 * pointer in it that cannot be.
 */
export const readRules = (root: string, document: unknown, reads: (path: string) => void): Rules => {
  const file = root.replace(/(\.openapi)?\.(ya?ml|json)$/i, '.rules.yaml')
  if (file === root) return noRules
  reads(file)
  return existsSync(file) ? rulesOf(readYaml(file), shownFile(file), document) : noRules
}

const readYaml = (file: string): unknown => {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]
    throw new DocumentError([{ message: `${shownFile(file)} cannot be read: ${why}`, place: null }])
  }
}

const rulesOf = (value: unknown, file: string, document: unknown): Rules => {
  const wrong = (message: string): never => {
    throw new DocumentError([{ message: `${file}: ${message}`, place: null }])
  }
  if (!isTable(value)) return wrong('it is not a table with `places` and `clauses`')
  const unknown = Object.keys(value).find(name => name !== 'places' && name !== 'clauses')
  if (unknown !== undefined) wrong(`there is no ${unknown} in a rules file: it has places and clauses`)
  const { places = {}, clauses } = value
  if (!isTable(places) || !Object.values(places).every(isText)) wrong('places are pointers, each with a text')
  const rows = Array.isArray(clauses) ? clauses.map(row => clauseOf(row, wrong)) : null
  if (clauses !== undefined && rows === null) wrong('clauses are a list')
  const rules: Rules = { places: places as Rules['places'], clauses: rows }
  const problems = problemsOf(rules, document)
  if (problems.length > 0)
    throw new DocumentError(problems.map(message => ({ message: `${file}: ${message}`, place: null })))
  return rules
}

const isTable = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const known = new Set(['id', 'at', 'text', 'places', 'obligations', 'untestable'])

const clauseOf = (row: unknown, wrong: (message: string) => never): InterfaceClause => {
  if (!isTable(row) || !isText(row.id)) return wrong('a clause has no id')
  const { id, at, text, places = [], obligations = [], untestable } = row
  const other = Object.keys(row).find(name => !known.has(name))
  if (other !== undefined) return wrong(`the clause ${id} has a field ${other} that no clause has`)
  if (!isText(at) || !isText(text))
    return wrong(`the clause ${id} does not say where it stands (at) and what (text)`)
  if (!isTexts(places) || !isTexts(obligations))
    return wrong(`places and obligations of the clause ${id} are lists of texts`)
  if (untestable !== undefined && !isText(untestable))
    return wrong(`the clause ${id} does not say why it is untestable`)
  return { id, at, text, places, obligations, untestable: untestable ?? null }
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)

const problemsOf = ({ places, clauses }: Rules, document: unknown): readonly string[] => {
  const named = [
    ...Object.keys(places).map(place => ({ place, by: 'places' })),
    ...(clauses ?? []).flatMap(({ id, places: own }) =>
      own.map(place => ({ place, by: `the clause ${id}` })),
    ),
  ]
  const ids = (clauses ?? []).map(({ id }) => id)
  return [
    ...named
      .filter(({ place }) => valueAt(document, place) === undefined)
      .map(({ place, by }) => `${by} names ${place}, which is not in the document`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `there are two clauses ${id}`),
    ...(clauses ?? []).flatMap(({ id, places: own, obligations, untestable }) =>
      (own.length + obligations.length === 0) === (untestable === null)
        ? [`the clause ${id} needs either places or obligations that cover it, or a reason (untestable)`]
        : [],
    ),
  ]
}
