import { localReference, valueAt } from '../../json/pointer.ts'
import { openNull } from '../../schema/open-null.ts'
import { isTable, type MutableNode } from '../walk-references.ts'

/** Called with what is wrong with `nullable`. */
type Report = (message: string) => void

/**
 * Rewrites `nullable` of OpenAPI 3.0 as a type, in place. It counts only beside a type (3.0.3), so that `allOf` and an `enum` without null
 * rule null out by the letter. Who writes it there means the opposite, so null is then neither demanded nor rejected.
 */
export const rewriteNullable = (document: object, schema: MutableNode, report: Report): void => {
  if (schema.nullable === true) {
    const [ruledOut] = ['enum', 'const', 'allOf', 'oneOf', 'anyOf'].filter(
      keyword => schema[keyword] !== undefined && !allowsNull(document, { [keyword]: schema[keyword] }, 0),
    )
    if (ruledOut !== undefined) {
      schema[openNull] = true
      report(
        `nullable is contradicted by ${ruledOut}, which rules null out: whether null is valid is not clear, so it is not sent, and not held against anybody`,
      )
    } else if (schema.type !== undefined) {
      const types = [schema.type].flat()
      if (!types.includes('null')) schema.type = [...types, 'null']
    }
  }
  delete schema.nullable
}

const deepest = 20

/** Whether null is valid by what a schema says of types and values. What goes deeper than anybody writes is taken to allow it. */
const allowsNull = (document: object, schema: unknown, depth: number): boolean => {
  if (typeof schema === 'boolean') return schema
  if (!isTable(schema) || depth > deepest) return true
  const { $ref, type, nullable, allOf, oneOf, anyOf } = schema
  const allows = (member: unknown): boolean => allowsNull(document, member, depth + 1)
  const pointer = typeof $ref === 'string' ? localReference($ref) : null
  return (
    (type === undefined || nullable === true || [type].flat().includes('null')) &&
    (!Array.isArray(schema.enum) || schema.enum.includes(null) || schema[openNull] === true) &&
    (!Object.hasOwn(schema, 'const') || schema.const === null) &&
    (pointer === null || allows(valueAt(document, pointer))) &&
    (!Array.isArray(allOf) || allOf.every(allows)) &&
    [oneOf, anyOf].every(members => !Array.isArray(members) || members.some(allows))
  )
}
