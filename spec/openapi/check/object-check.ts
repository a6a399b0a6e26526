import { asNode, follow } from '../../json/follow-refs.ts'
import { localReference, type Pointer, step, steps, valueAt } from '../../json/pointer.ts'
import type { Problem } from '../diagnostic.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import { type Check, type Fault, nameOf, type Side, type Warn } from './findings.ts'
import { rulesOf } from './object-rules.ts'
import { type Field, objects, sections } from './objects.ts'
import { declaredIn } from './operations.ts'
import { createPartChecks } from './part-checks.ts'
import type { SchemaFaults } from './schemas.ts'

/** What may be a reference instead; that of a path is followed before. */
const referable = new Set([...sections.keys(), 'untestedPath'].filter(kind => kind !== 'pathItem'))

type Options = {
  readonly dead: ReadonlyMap<object, Problem>
  readonly schemas: SchemaFaults
  /** The minor version of OpenAPI 3. */
  readonly minor: number
  /** The version of the document, for messages. */
  readonly version: string
  readonly warn: Warn
}

export const createCheck = (
  document: MutableNode,
  { dead, schemas, minor, version, warn }: Options,
): Check => {
  const known = new Map<string, readonly Fault[]>()

  const check: Check = (kind, value, at, side) => {
    if (!isTable(value)) return [{ message: `${nameOf(at)} must be an object`, at }]
    if (typeof value.$ref === 'string' && referable.has(kind)) return checkReference(kind, value, at, side)
    if (kind === 'callback' && minor > 0 && Object.hasOwn(value, '$ref'))
      return [{ message: '$ref must be a text', at: step(at, '$ref') }]
    if (kind === 'callback') return checkCallback(value, at)
    if (kind === 'untestedPath') return checkUntested(value, at)
    const fields = objects.get(kind)
    if (fields === undefined) return []
    const faults: Fault[] = []
    const given = new Set(Object.keys(value))
    for (const name of given) {
      const here = step(at, name)
      const field = fields.get(name)
      if (field === undefined || field.since > minor) {
        if (!name.startsWith('x-')) warn(`${nameOf(at)} has no field "${name}" in ${version}`, here)
        if (name === '$ref') delete value[name]
        if (field === undefined) continue
      }
      const found = checkField(field, value, name, here, side)
      if (found.length === 0) continue
      // What a response is judged by may be less than was meant; what is sent may not.
      if (field.isVital && (side === 'request' || kind === 'operation')) faults.push(...found)
      else {
        for (const { message, at, ...more } of found) warn(message, at, more)
        delete value[name]
      }
    }
    for (const [name, field] of fields) {
      if (!field.isRequired || given.has(name)) continue
      const message = `${nameOf(at)} must have required property '${name}'`
      if (field.isVital) faults.push({ message, at })
      else if (!(minor >= 2 && kind === 'response')) warn(message, at)
    }
    rulesOf(kind)?.(value, at, {
      minor,
      warn,
      fault: (message, place, more) => faults.push({ message, at: place, ...more }),
    })
    return faults
  }

  const parts = createPartChecks(document, { check, version, warn })

  const checkField = (
    { holds, many }: Field,
    holder: MutableNode,
    name: string,
    at: Pointer,
    side: Side,
  ): readonly Fault[] => {
    const value = holder[name]
    if (holds === 'parameters') return parts.parameters(value, at)
    if (holds === 'requestContent') return parts.content(value, at)
    if (holds === 'responses') return parts.responses(value, at)
    if (many === null) return checkOne(holds, value, at, side)
    if (many === 'list' ? !Array.isArray(value) : !isTable(value))
      return [{ message: `${nameOf(at)} must be ${many === 'list' ? 'a list' : 'an object'}`, at }]
    if (holds === 'media' && name === 'content') {
      const unnamed = parts.mediaTypes(value as MutableNode, at)
      if (unnamed.length > 0 && side === 'request' && Object.keys(value as object).length === 0)
        return unnamed
    }
    const isSecurity = holds === 'security'
    const isSection = /^\/components\/[^/]*$/.test(at)
    const faults: Fault[] = []
    for (const [key, member] of Object.entries(value as MutableNode)) {
      // An empty list is meant as the empty requirement, which makes the others optional.
      if (isSecurity && Array.isArray(member) && member.length === 0) {
        warn(`${nameOf(step(at, key))} must be an object: it is read as {}`, step(at, key))
        ;(value as MutableNode)[key] = {}
        continue
      }
      const found = isSection
        ? checkTarget(holds, step(at, key), sideOf(holds))
        : checkOne(holds, member, step(at, key), side)
      if (found.length === 0) continue
      if (isSecurity) faults.push(...found)
      else {
        for (const { message, at, ...more } of found) warn(message, at, more)
        // A list keeps its length, so that the places of what follows stay right; and who refers to a component finds out why not.
        if (many === 'map' && !isSection) {
          if (holds === 'media') (value as MutableNode)[key] = {}
          else delete (value as MutableNode)[key]
        }
      }
    }
    return faults
  }

  const checkOne = (holds: string, value: unknown, at: Pointer, side: Side): readonly Fault[] => {
    const wrong = (text: string): readonly Fault[] => [{ message: `${nameOf(at)} ${text}`, at }]
    switch (holds) {
      case 'any':
        return []
      case 'text':
        if (typeof value === 'string') return []
        return wrong(
          typeof value === 'number' ? 'must be a text: put it in quotation marks' : 'must be a text',
        )
      case 'linkValue':
        return minor === 0 || typeof value === 'string' ? [] : wrong('must be a text')
      case 'flag':
        return typeof value === 'boolean' ? [] : wrong('must be true or false')
      case 'security':
        return isTable(value) ? [] : wrong('must be an object')
      case 'schema':
        return side === 'request' ? schemas.of(at) : []
      default:
        return check(holds, value, at, side)
    }
  }

  const checkReference = (kind: string, node: MutableNode, at: Pointer, side: Side): readonly Fault[] => {
    const here = step(at, '$ref')
    const problem = dead.get(node)
    if (problem !== undefined) return [{ ...problem, at: here }]
    const target = localReference(String(node.$ref))
    if (target === null) return [{ message: `the $ref "${node.$ref}" cannot be resolved`, at: here }]
    if (typeof asNode(valueAt(document, follow(document, target).pointer)).$ref === 'string')
      return [{ message: `the $ref "${node.$ref}" refers to itself without end`, at: here }]
    const [first, section] = steps(target)
    const wanted = sections.get(kind)
    if (first === 'components' && wanted !== undefined && section !== wanted)
      return [
        {
          message: `the $ref "${node.$ref}" refers to ${section}, but this is a place for ${wanted}`,
          at: here,
        },
      ]
    return checkTarget(kind, target, side)
  }

  const checkTarget = (kind: string, target: Pointer, side: Side): readonly Fault[] => {
    const key = `${kind} ${side} ${target}`
    const before = known.get(key)
    if (before !== undefined) return before
    // Until it is known: nothing, as an object may refer to itself.
    known.set(key, [])
    const found = check(kind, valueAt(document, target), target, side)
    known.set(key, found)
    return found
  }

  /** The operations of a callback are not tested, so that nothing rests on them. */
  const checkCallback = (value: MutableNode, at: Pointer): readonly Fault[] => {
    for (const [expression, item] of Object.entries(value)) {
      const here = step(at, expression)
      if (expression.startsWith('x-')) continue
      for (const { message, at, ...more } of check('untestedPath', item, here, 'request'))
        warn(message, at, more)
    }
    return []
  }

  /** A path item whose operations are not tested. */
  const checkUntested = (value: MutableNode, at: Pointer): readonly Fault[] => [
    ...check('pathItem', value, at, 'request'),
    ...declaredIn(value, minor).flatMap(({ at: below }) =>
      check('operation', valueAt(value, below), at + below, 'request'),
    ),
  ]

  return check
}

const sideOf = (kind: string): Side =>
  ['parameter', 'requestBody', 'media'].includes(kind) ? 'request' : 'response'
