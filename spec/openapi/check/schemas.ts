import { localReference, type Pointer, step, valueAt } from '../../json/pointer.ts'
import { inUnicodeMode } from '../../patterns/unicode-mode.ts'
import { uncheckedFormat } from '../../schema/formats.ts'
import { counted } from '../../schema/schema-violation.ts'
import type { Problem } from '../diagnostic.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import { type Fault, isBelowAny, lastStep, resourceAt, type Warn } from './findings.ts'
import { keywords, newerKeywords, patternReadAs, patternRule } from './keywords.ts'
import { createPartsProblem, cutParts, mostLevels, sizeProblem, tooDeep } from './limits.ts'
import { rewriteOlder } from './older-keywords.ts'
import { warnOfUnsatisfiable } from './unsatisfiable-schemas.ts'

/** What is wrong with the schemas of a document. */
export type SchemaFaults = {
  /** What is wrong with a schema, and with those that it refers to. */
  readonly of: (schema: Pointer) => readonly Fault[]
  readonly all: readonly Fault[]
}

type Options = {
  readonly dead: ReadonlyMap<object, Problem>
  /** Whether references are by names that schemas have, and not by pointers only. */
  readonly hasNames: boolean
  /** Whether the document is of OpenAPI 3.0. */
  readonly isOld: boolean
  /** Whether it was converted from Swagger 2.0. */
  readonly isSwagger: boolean
  /** The version of the document, for messages. */
  readonly version: string
  readonly warn: Warn
}

/**
 * Checks the schemas at some places and all that they refer to, and rewrites them as JSON Schema 2020-12, in place. Keywords that cannot be
 * understood are faults, and are taken out, so that what is left can be used.
 */
export const checkSchemas = (
  document: MutableNode,
  places: readonly Pointer[],
  { dead, hasNames, isOld, isSwagger, version, warn }: Options,
): SchemaFaults => {
  const faults: Fault[] = []
  const references = new Map<Pointer, Pointer[]>()
  const seen = new Map<MutableNode, Pointer>()
  const open = [...places]
  const tangled: MutableNode[] = []
  const anchors = new Map<string, Pointer>()
  const formats = new Map<string, Pointer[]>()
  /** Where the schema is that is checked with all that is nested in it. */
  let place: Pointer = ''

  const fault = (message: string, at: Pointer): void => {
    faults.push({ message: `the schema is invalid: ${message}`, at })
  }

  const visit = (holder: MutableNode, key: string, at: Pointer, found: Pointer[], level = 1): void => {
    const schema = holder[key]
    if (level > mostLevels) {
      faults.push({ message: tooDeep, at: place })
      holder[key] = true
      return
    }
    if (typeof schema === 'boolean') {
      if (isOld && key !== 'additionalProperties')
        warn(`a schema must be an object in ${version}: it is read as in OpenAPI 3.1`, at)
      return
    }
    if (!isTable(schema)) {
      fault(`${key} must be an object`, at)
      holder[key] = true
      return
    }
    const first = seen.get(schema)
    // An alias in YAML: it is as a reference to the place where the schema was met first.
    if (first !== undefined && first !== at) {
      found.push(first)
      open.push(first)
      return
    }
    if (typeof schema.$ref === 'string') checkReference(schema, at, found)
    if (first === undefined) {
      seen.set(schema, at)
      checkKeywords(schema, at)
    }
    for (const [name, value] of Object.entries(schema)) {
      const kind = keywords.get(name)?.kind
      const here = step(at, name)
      if (kind === 'schema') visit(schema, name, here, found, level + 1)
      else if (kind === 'list' || kind === 'map')
        for (const member of Object.keys(value as object))
          visit(value as MutableNode, member, step(here, member), found, level + 1)
    }
  }

  const checkReference = (schema: MutableNode, at: Pointer, found: Pointer[]): void => {
    const problem = dead.get(schema)
    if (problem !== undefined) {
      faults.push({ ...problem, at: step(at, '$ref') })
      delete schema.$ref
      return
    }
    const target = localReference(String(schema.$ref))
    if (target === null) return
    found.push(target)
    open.push(target)
  }

  const checkKeywords = (schema: MutableNode, at: Pointer): void => {
    if (isOld && (Array.isArray(schema.type) || schema.type === 'null'))
      warn(
        `type must be one of array, boolean, integer, number, object, string in ${version}: it is read as in OpenAPI 3.1`,
        step(at, 'type'),
      )
    rewriteOlder(document, schema, { isOld, isSwagger }, (keyword, message) =>
      warn(message, step(at, keyword)),
    )
    for (const name of ['$schema', '$async', 'id']) {
      if (typeof schema[name] !== 'string' && typeof schema[name] !== 'boolean') continue
      if (name === '$schema' && !/2020-12|oas\/3\.[12]/.test(String(schema[name])))
        warn(
          `the schema dialect ${schema[name]} is not supported: the schema is read as JSON Schema 2020-12`,
          step(at, name),
        )
      delete schema[name]
    }
    for (const [name, value] of Object.entries(schema)) checkKeyword(schema, name, value, step(at, name))
    checkPatternNames(schema, step(at, 'patternProperties'))
    if (hasNames) checkAnchors(schema, at)
  }

  /** The names in `patternProperties` are patterns. What an unreadable one would take, any schema may take. */
  const checkPatternNames = (schema: MutableNode, at: Pointer): void => {
    const { patternProperties } = schema
    if (!isTable(patternProperties)) return
    for (const [name, value] of Object.entries(patternProperties)) {
      const unicode = inUnicodeMode(name)
      if (unicode === name) continue
      delete patternProperties[name]
      if (unicode === null) {
        fault(`the pattern ${name} ${patternRule}`, step(at, name))
        delete schema.additionalProperties
        delete schema.unevaluatedProperties
      } else {
        warn(patternReadAs(unicode), step(at, name))
        patternProperties[unicode] = value
      }
    }
  }

  // Names are of one resource, and nothing can tell which of two schemas a reference means.
  const checkAnchors = (schema: MutableNode, at: Pointer): void => {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword]
      if (typeof name !== 'string') continue
      const key = `${resourceAt(document, at)}#${name}`
      const first = anchors.get(key)
      anchors.set(key, first ?? at)
      if (first === undefined || first === at) continue
      fault(`the ${keyword} "${name}" is also used by #${first}`, step(at, keyword))
      delete schema[keyword]
    }
  }

  const checkKeyword = (schema: MutableNode, name: string, value: unknown, at: Pointer): void => {
    const keyword = keywords.get(name)
    if (keyword === undefined) {
      if (isOld && !name.startsWith('x-'))
        warn(`a schema has no keyword "${name}" in ${version}: it is ignored`, at)
      return
    }
    if (isOld && newerKeywords.has(name))
      warn(`a schema has no keyword "${name}" in ${version}: it is read as in OpenAPI 3.1`, at)
    if (isOld && (name === 'enum' || name === 'required') && Array.isArray(value) && value.length === 0)
      warn(`${name} must not be empty in ${version}`, at)
    const wrong = 'rule' in keyword ? keyword.rule(value) : shapeProblem(keyword.kind, value)
    const size = sizeProblem(name, value)
    if (wrong === null && size === null) {
      if (name === 'format') formats.set(String(value), [...(formats.get(String(value)) ?? []), at])
      const unicode = name === 'pattern' ? inUnicodeMode(String(value)) : value
      if (unicode === null || unicode === value) return
      warn(patternReadAs(String(unicode)), at)
      schema[name] = unicode
      return
    }
    if (size !== null) faults.push({ message: size, at })
    else if (keyword.kind === 'annotation') warn(`${name} ${wrong}`, at)
    else fault(`${name} ${wrong}`, at)
    // An object that is wrong in one of its fields says something all the same.
    if (!isUseful(name, value)) delete schema[name]
  }

  while (open.length > 0) {
    const at = open.pop() as Pointer
    if (references.has(at)) continue
    const found: Pointer[] = []
    place = at
    references.set(at, found)
    const end = at.lastIndexOf('/')
    const holder = at === '' ? { '': document } : valueAt(document, at.slice(0, end))
    if (typeof holder === 'object' && holder !== null)
      visit(holder as MutableNode, at === '' ? '' : lastStep(at), at, found)
  }

  const partsProblem = createPartsProblem(document)
  for (const [schema, at] of seen) {
    const message = partsProblem(schema)
    if (message === null) continue
    faults.push({ message, at })
    tangled.push(schema)
  }
  tangled.forEach(cutParts)
  warnOfUnsatisfiable(document, seen, warn)
  warnOfFormats(formats, warn)

  const known = new Map<Pointer, readonly Fault[]>()
  const of = (schema: Pointer): readonly Fault[] => {
    if (faults.length === 0) return []
    const before = known.get(schema)
    if (before !== undefined) return before
    const reached = new Set([schema])
    for (const at of reached) for (const next of references.get(at) ?? []) reached.add(next)
    const found = faults.filter(({ at }) => isBelowAny(at, reached))
    known.set(schema, found)
    return found
  }
  return { of, all: faults }
}

/** Once for each format, as documents use their own ones in hundreds of places. */
const warnOfFormats = (formats: ReadonlyMap<string, readonly Pointer[]>, warn: Warn): void => {
  for (const [name, [first, ...others]] of formats) {
    const reason = uncheckedFormat(name)
    if (reason === null || first === undefined) continue
    const more = others.length === 0 ? '' : ` (here and in ${counted(String(others.length), 'other place')})`
    warn(`${reason}${more}`, first)
  }
}

const isUseful = (name: string, value: unknown): boolean =>
  isTable(value) &&
  (name === 'xml' ||
    name === 'externalDocs' ||
    (name === 'discriminator' && typeof value.propertyName === 'string'))

const shapeProblem = (kind: 'schema' | 'list' | 'map', value: unknown): string | null => {
  if (kind === 'list') return Array.isArray(value) && value.length > 0 ? null : 'must be a list of schemas'
  if (kind === 'map') return isTable(value) ? null : 'must be a map of schemas'
  return isTable(value) || typeof value === 'boolean' ? null : 'must be a schema'
}
