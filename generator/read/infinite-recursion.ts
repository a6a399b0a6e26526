import { type DynamicScope, referenceTargets, type SchemaDocument } from './document.ts'
import {
  children,
  isSchemaObject,
  type Schema,
  type SchemaObject,
  subschema,
  subschemas,
} from './keywords.ts'
import { throwUnsupported } from './unsupported.ts'

/**
 * Throws if a schema applies itself to the same value again, as `{ "$ref": "#" }` does: no validator terminates on it
 * (JSON Schema Core 2020-12, 9.4.1).
 */
export const throwOnInfiniteRecursion = (document: SchemaDocument): void => {
  const finished = new Set<SchemaObject>()
  const active = new Set<SchemaObject>()
  const check = (schema: Schema, outer: DynamicScope): void => {
    if (!isSchemaObject(schema) || finished.has(schema)) return
    if (active.has(schema)) throwUnsupported('the schema recurses infinitely')
    active.add(schema)
    const scope = document.enter(schema, outer)
    for (const target of referenceTargets(document, schema, scope)) check(target.schema, target.scope)
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      for (const member of subschemas(schema, keyword)) check(member, scope)
    // `then`, `else` and `dependentSchemas` apply to some values only.
    for (const keyword of ['not', 'if']) check(subschema(schema, keyword) ?? true, scope)
    active.delete(schema)
    finished.add(schema)
  }
  const visited = new Set<SchemaObject>()
  const visit = (schema: Schema, outer: DynamicScope): void => {
    if (!isSchemaObject(schema) || visited.has(schema)) return
    visited.add(schema)
    check(schema, outer)
    const scope = document.enter(schema, outer)
    for (const target of referenceTargets(document, schema, scope)) visit(target.schema, target.scope)
    for (const child of children(schema)) visit(child, scope)
  }
  visit(document.schema, document.scope)
}
