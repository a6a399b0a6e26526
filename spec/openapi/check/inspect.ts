import { asNode } from '../../json/follow-refs.ts'
import { type Pointer, step } from '../../json/pointer.ts'
import type { Bundle } from '../bundle.ts'
import { type LeftOutOperation, type Problem, uniqueProblems } from '../diagnostic.ts'
import type { Sources } from '../source-map.ts'
import { minorVersion } from '../version-check.ts'
import { isTable, type MutableNode, stripIdentifiers } from '../walk-references.ts'
import type { Fault, Warn } from './findings.ts'
import { createCheck } from './object-check.ts'
import { checkOperations, declaredIn, takeOut } from './operations.ts'
import { checkSchemas } from './schemas.ts'

/** What is wrong with a document, and what it has that is not tested. */
export type Inspection = {
  /** What nothing that is tested rests on, or what is read in spite of it. */
  readonly warnings: readonly Problem[]
  readonly leftOut: readonly LeftOutOperation[]
  /** Parts without a fault that are not tested, such as webhooks. */
  readonly notTested: readonly Problem[]
  /** The references that lead nowhere, but for those for which operations are left out. */
  readonly unresolved: readonly string[]
  /** The operations of the document, with those that are left out. */
  readonly operations: number
}

/**
 * Checks a bundled document, and takes out of it what cannot be used, in place: its schemas become JSON Schema 2020-12. What is wrong where an
 * operation does not need it is a warning; what an operation needs leaves out that operation.
 */
export const inspect = (
  { document, dead, warnings: early }: Bundle,
  sources: Sources,
  isSwagger = false,
): Inspection => {
  const minor = minorVersion(document.openapi) ?? 1
  const version = isSwagger ? 'Swagger 2.0' : `OpenAPI 3.${minor}`
  // The checks take such references out of schemas.
  const deadReferences = [...dead].map(([node, why]) => ({ text: String((node as MutableNode).$ref), why }))
  const warnings: Fault[] = []
  const warn: Warn = (message, at, more) => warnings.push({ message, at, ...more })
  checkDialect(document, minor, warn)
  const hasNames = sources.mentions('$dynamicRef')
  const schemas = checkSchemas(document, schemaPlaces(document), {
    dead,
    hasNames,
    isOld: minor === 0,
    isSwagger,
    version,
    warn,
  })
  // By now every reference is a pointer, but for those that depend on who refers to them.
  if (!hasNames) stripIdentifiers(document)
  const check = createCheck(document, { dead, schemas, minor, version, warn })
  const { count, unusable } = checkOperations(document, { check, dead, minor, isSwagger, warn })
  for (const { message, at, ...more } of check('root', document, '', 'response')) warn(message, at, more)
  for (const [name, item] of Object.entries(asNode(document.webhooks)))
    for (const { message, at, ...more } of check('untestedPath', item, step('/webhooks', name), 'request'))
      warn(message, at, more)

  const problem = ({ message, at, place = sources.place(at) }: Fault): Problem => ({ message, place })
  const leftOut = unusable.map(({ method, path, faults }) => ({
    method,
    path,
    isFault: faults.some(({ unsupported }) => unsupported !== true),
    problems: uniqueProblems(faults.map(problem)),
  }))
  const [spared, wrong] = [true, undefined].map(kind =>
    warnings.filter(({ unsupported }) => unsupported === kind),
  )
  const notTested = uniqueProblems([...(spared ?? []), ...untestedIn(document, minor)].map(problem))
  takeOut(document, unusable)
  const told = new Set(leftOut.flatMap(({ problems }) => problems.map(idOf)))
  const ignored = [...early, ...[...(wrong ?? []), ...schemas.all].map(problem)].filter(
    each => !told.has(idOf(each)),
  )
  return {
    warnings: uniqueProblems([...sources.problems(), ...ignored]),
    leftOut,
    notTested,
    unresolved: [...new Set(deadReferences.flatMap(({ text, why }) => (told.has(idOf(why)) ? [] : [text])))],
    operations: count,
  }
}

/** Of several messages for one place, one is enough. */
const idOf = ({ message, place }: Problem): string =>
  place === null ? message : `${place.file} ${place.line} ${place.column} ${place.pointer}`

const dialects =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect)/

const checkDialect = (document: MutableNode, minor: number, warn: Warn): void => {
  const dialect = document.jsonSchemaDialect
  if (minor > 0 && typeof dialect === 'string' && !dialects.test(dialect))
    warn(
      `the schema dialect ${dialect} is not supported: the schemas are read as JSON Schema 2020-12`,
      '/jsonSchemaDialect',
    )
}

/** All Schema Objects of the document that are not part of another. */
const schemaPlaces = (document: MutableNode): readonly Pointer[] => {
  const found: Pointer[] = Object.keys(asNode(asNode(document.components).schemas)).map(name =>
    step('/components/schemas', name),
  )
  const visit = (node: object, at: Pointer): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' && key !== 'schema') continue
      const here = step(at, key)
      if (here === '/components/schemas' || key === 'example' || key === 'examples' || key.startsWith('x-'))
        continue
      if ((key === 'schema' || key === 'itemSchema') && !isNamed(at)) found.push(here)
      else if (typeof value === 'object' && value !== null) visit(value, here)
    }
  }
  visit(document, '')
  return found
}

/** Whether the names in an object are chosen by the author, such as that of a header. */
const isNamed = (at: Pointer): boolean =>
  /\/(headers|responses|parameters|requestBodies|mediaTypes|links|callbacks|content|paths|webhooks|pathItems|securitySchemes)$/.test(
    at,
  )

const untestedIn = (document: MutableNode, minor: number): readonly Fault[] => [
  ...Object.keys(asNode(document.webhooks)).map(name => ({
    message: `the webhook "${name}" is not tested`,
    at: step('/webhooks', name),
  })),
  ...Object.entries(asNode(document.paths)).flatMap(([path, item]) =>
    isTable(item)
      ? declaredIn(item, minor).flatMap(({ at }) => {
          const operation = step('/paths', path) + at
          const names = Object.keys(asNode(asNode(item[at.slice(1)]).callbacks))
          return names.map(name => ({
            message: `the callback "${name}" is not tested`,
            at: step(step(operation, 'callbacks'), name),
          }))
        })
      : [],
  ),
]
