import { asNode } from '../../json/follow-refs.ts'
import { localReference, valueAt } from '../../json/pointer.ts'
import type { MutableNode } from '../walk-references.ts'

/** The least sizes that a schema may ask for: larger values can be neither made nor sent. */
const mostRequired: Readonly<Record<string, number>> = {
  minLength: 1_000_000,
  minItems: 10_000,
  minContains: 10_000,
  minProperties: 10_000,
}

/** The members that an `enum` may have. */
const mostMembers = 10_000

/** The schemas that a schema may consist of, after all `allOf`, `anyOf` and the like. */
const mostParts = 20_000

/** How deep schemas may be nested without a `$ref`: what compiles them, draws values and judges them is recursive. */
export const mostLevels = 200
export const tooDeep = `schemas are nested in this one more than ${mostLevels} levels deep, which cannot be tested`

/** Why no program could handle a keyword with this value; null if one can. */
export const sizeProblem = (keyword: string, value: unknown): string | null => {
  if (keyword === 'enum' && Array.isArray(value) && value.length > mostMembers)
    return `enum has ${value.length} values, but more than ${mostMembers} cannot be tested`
  if (typeof value !== 'number') return null
  const most = Object.hasOwn(mostRequired, keyword) ? mostRequired[keyword] : undefined
  if (!Number.isFinite(value)) return `${keyword} is a number that is too large`
  return most !== undefined && value > most
    ? `${keyword} is ${value}, but values of more than ${most} cannot be tested`
    : null
}

/** What holds for the same value as the schema around it. */
const single = ['not', 'if', 'then', 'else'] as const
const several = ['allOf', 'anyOf', 'oneOf'] as const

/** Takes out of a schema what holds for the same value. */
export const cutParts = (schema: MutableNode): void => {
  for (const key of ['$ref', ...single, ...several]) delete schema[key]
}

/** Tells of schemas that refer to themselves for the same value, or consist of too many parts; null of all others. */
export const createPartsProblem = (document: object): ((schema: object) => string | null) => {
  const known = new Map<object, number | 'endless'>()
  const open = new Set<object>()
  const partsOf = (node: unknown): number | 'endless' => {
    if (typeof node !== 'object' || node === null) return 0
    const before = known.get(node)
    if (before !== undefined) return before
    if (open.has(node)) return 'endless'
    open.add(node)
    const parts = childrenOf(document, node).map(partsOf)
    open.delete(node)
    const count = parts.includes('endless')
      ? 'endless'
      : parts.reduce<number>((sum, part) => sum + Number(part), 1)
    known.set(node, count)
    return count
  }
  return schema => {
    const parts = partsOf(schema)
    if (parts === 'endless')
      return 'the schema refers to itself without end: no value can be checked against it'
    return parts > mostParts
      ? `the schema has too many parts after its allOf, anyOf and oneOf: more than ${mostParts}`
      : null
  }
}

const childrenOf = (document: object, node: object): readonly unknown[] => {
  const parts = asNode(node)
  const target = typeof parts.$ref === 'string' ? localReference(parts.$ref) : null
  return [
    ...(target === null ? [] : [valueAt(document, target)]),
    ...single.flatMap(key => (parts[key] === undefined ? [] : [parts[key]])),
    ...several.flatMap(key => (Array.isArray(parts[key]) ? (parts[key] as readonly unknown[]) : [])),
  ]
}
