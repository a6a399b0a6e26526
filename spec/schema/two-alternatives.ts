import { asNode } from '../json/follow-refs.ts'
import { isArray, type Json } from '../json/json.ts'
import { localReference, type Pointer, step, valueAt } from '../json/pointer.ts'
import type { AjvError, SchemaViolation } from './schema-violation.ts'

/** What is known of the schemas of a document. */
export type Alternatives = {
  readonly pointerOf: (schema: object) => Pointer | undefined
  readonly validator: (pointer: Pointer) => (value: Json) => readonly SchemaViolation[]
}

type Judged = readonly { readonly error: AjvError; readonly violation: SchemaViolation }[]

/**
 * Names the alternatives of each `oneOf` of which a value fits two, and leaves out what the value breaks of the others: that is not what is
 * wrong with it.
 */
export const nameTwo = (
  judged: Judged,
  value: Json,
  { pointerOf, validator }: Alternatives,
): readonly SchemaViolation[] => {
  const dropped = new Set<SchemaViolation>()
  const named = judged.map(({ error, violation }, index) => {
    const fitting = fittingOf(error)
    const pointer = fitting === null ? undefined : pointerOf(error.parentSchema ?? {})
    const { constraint, at } = violation
    if (fitting === null || !Array.isArray(constraint)) return violation
    const all = pointer === undefined ? null : step(pointer, 'oneOf')
    const before = judged.slice(0, index).toReversed()
    const offending = valueAt(value, at) as Json | undefined
    for (const other of constraint.keys()) {
      if (all === null || offending === undefined || fitting.includes(other)) continue
      for (const broken of validator(step(all, other))(offending)) {
        const found = before.find(
          each =>
            !dropped.has(each.violation) &&
            each.violation.at === at + broken.at &&
            each.violation.keyword === broken.keyword &&
            each.violation.message === broken.message,
        )
        if (found !== undefined) dropped.add(found.violation)
      }
    }
    return { ...violation, fits: fitting.map(each => nameOf(constraint[each], each, all)) }
  })
  return named.filter(each => !dropped.has(each))
}

const fittingOf = ({ keyword, params }: AjvError): readonly number[] | null => {
  const { passingSchemas: passing } = params as { readonly passingSchemas?: unknown }
  return keyword === 'oneOf' && Array.isArray(passing) ? (passing.flat(9) as readonly number[]) : null
}

/** `#/components/schemas/Cat`; schemas of other files have no pointer that anybody wrote. */
const nameOf = (alternative: unknown, index: number, all: Pointer | null): string => {
  const { $ref, allOf, type } = asNode(alternative)
  const reference =
    $ref ?? (isArray(allOf as Json) ? asNode((allOf as readonly unknown[])[0]).$ref : undefined)
  const target = typeof reference === 'string' ? localReference(reference) : null
  const pointer = target ?? (all === null ? null : step(all, index))
  if (pointer === null || pointer.startsWith('/x-')) return `alternative ${index + 1}`
  return target === null && typeof type === 'string' ? `#${pointer} (${type})` : `#${pointer}`
}

/** Where each schema of a document is; of one that is in several places, the first. */
export const createPointers = (document: object): ((schema: object) => Pointer | undefined) => {
  let known: Map<object, Pointer> | null = null
  return schema => {
    known ??= pointersIn(document)
    return known.get(schema)
  }
}

const pointersIn = (document: object): Map<object, Pointer> => {
  const found = new Map<object, Pointer>()
  const open: (readonly [object, Pointer])[] = [[document, '']]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, at] = next
    if (found.has(node)) continue
    found.set(node, at)
    for (const [key, child] of Object.entries(node).reverse())
      if (typeof child === 'object' && child !== null) open.push([child, step(at, key)])
  }
  return found
}
