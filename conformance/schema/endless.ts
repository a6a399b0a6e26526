import type { SchemaDocument, Scope } from './document.ts'
import {
  children,
  isSchemaObject,
  own,
  type Schema,
  type SchemaObject,
  subschema,
  subschemas,
} from './keywords.ts'
import { refuse } from './refusal.ts'

/** Refuses a schema that asks itself about the same value again: no validator comes to an end on it. */
export const refuseEndless = (document: SchemaDocument): void => {
  const settled = new Set<SchemaObject>()
  const asking = new Set<SchemaObject>()
  const ask = (schema: Schema, outer: Scope): void => {
    if (!isSchemaObject(schema) || settled.has(schema)) return
    if (asking.has(schema)) refuse('the schema refers to itself without an end')
    asking.add(schema)
    const scope = document.enter(schema, outer)
    for (const target of targetsOf(document, schema, scope)) ask(target.schema, target.scope)
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      for (const member of subschemas(schema, keyword)) ask(member, scope)
    // `then`, `else` and `dependentSchemas` are asked only sometimes.
    for (const keyword of ['not', 'if']) ask(subschema(schema, keyword) ?? true, scope)
    asking.delete(schema)
    settled.add(schema)
  }
  const visited = new Set<SchemaObject>()
  const visit = (schema: Schema, outer: Scope): void => {
    if (!isSchemaObject(schema) || visited.has(schema)) return
    visited.add(schema)
    ask(schema, outer)
    const scope = document.enter(schema, outer)
    for (const target of targetsOf(document, schema, scope)) visit(target.schema, target.scope)
    for (const child of children(schema)) visit(child, scope)
  }
  visit(document.schema, document.scope)
}

const targetsOf = (document: SchemaDocument, schema: SchemaObject, scope: Scope) =>
  (['$ref', '$dynamicRef'] as const).flatMap(keyword =>
    typeof own(schema, keyword) === 'string' ? [document.follow(schema, keyword, scope)] : [],
  )
