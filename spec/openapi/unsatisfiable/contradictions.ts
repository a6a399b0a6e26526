/**
 * Keywords of one schema that no value meets together, such as a list whose `enum` has texts, or `type: 'null'` beside a `oneOf` of texts
 * and numbers: what the author meant is another schema, and no server could answer by this one.
 */

import { type DocumentNode, follow, isNode } from '../../json/follow-refs.ts'
import { type Json, typeOf } from '../../json/json.ts'
import { localReference } from '../../json/pointer.ts'
import { mapSchemas } from '../map-schemas.ts'

/** The document without keywords that contradict each other. */
export const withoutContradictions = (document: DocumentNode): DocumentNode =>
  mapSchemas(document, (changed, original) => {
    const keywords = contradictionIn(document, original)
    if (keywords.length === 0) return changed
    return Object.fromEntries(Object.entries(changed).filter(([keyword]) => !keywords.includes(keyword)))
  })

/** The keywords of a schema that contradict each other, `type` first; empty if a value may meet them all. */
export const contradictionIn = (
  document: DocumentNode,
  schema: Readonly<Record<string, unknown>>,
): readonly string[] => {
  if (schema.type === undefined) return []
  const types = [schema.type].flat().map(String)
  const opposed = ['enum', 'const', 'oneOf', 'anyOf'].filter(keyword => {
    const allowed = Object.hasOwn(schema, keyword) ? typesBy(document, keyword, schema[keyword]) : null
    return allowed !== null && !allowed.some(type => types.some(other => areAlike(type, other)))
  })
  return opposed.length === 0 ? [] : ['type', ...opposed]
}

const areAlike = (left: string, right: string): boolean =>
  left === right || (isNumeric(left) && isNumeric(right))

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number'

/** The types of the values that a keyword allows; null: it may be any. */
const typesBy = (document: DocumentNode, keyword: string, value: unknown): readonly string[] | null => {
  if (keyword === 'const') return [typeOf(value as Json)]
  if (!Array.isArray(value) || value.length === 0) return null
  if (keyword === 'enum') return value.map(member => typeOf(member as Json))
  const all = value.map(alternative => typesOf(document, alternative))
  return all.includes(null) ? null : all.flatMap(types => types ?? [])
}

const typesOf = (document: DocumentNode, schema: unknown): readonly string[] | null => {
  if (!isNode(schema)) return null
  const target = typeof schema.$ref === 'string' ? localReference(schema.$ref) : null
  const type = schema.type ?? (target === null ? undefined : follow(document, target).node.type)
  return type === undefined ? null : [type].flat().map(String)
}
