type Node = Record<string, unknown>

/**
 * Gives a document whose Schema Objects are JSON Schema 2020-12. OpenAPI 3.1 has them so already; those of 3.0
 * are rewritten: `nullable` becomes a type, `exclusiveMinimum: true` a number, and siblings of `$ref` are dropped.
 */
export const upgrade = (document: Node): Node => {
  const copy = structuredClone(document)
  if (/^3\.0\./.test(String(copy.openapi))) rewrite(copy, false)
  return copy
}

const schemaHolders = new Set(['schema', 'items', 'additionalProperties', 'not'])
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf'])
const schemaMaps = new Set(['properties', 'schemas'])
// What an example holds is data, however much it looks like a schema.
const data = new Set(['example', 'examples', 'default', 'enum'])

const rewrite = (value: unknown, isSchema: boolean): void => {
  if (Array.isArray(value)) {
    for (const item of value) rewrite(item, isSchema)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const node = value as Node
  if (isSchema) rewriteSchema(node)
  for (const [key, child] of Object.entries(node)) {
    if (data.has(key)) continue
    if (schemaMaps.has(key) && typeof child === 'object' && child !== null)
      for (const schema of Object.values(child)) rewrite(schema, true)
    else rewrite(child, schemaHolders.has(key) || schemaLists.has(key))
  }
}

const rewriteSchema = (schema: Node): void => {
  if (typeof schema.$ref === 'string') {
    for (const key of Object.keys(schema)) if (key !== '$ref') delete schema[key]
    return
  }
  if (schema.nullable === true && typeof schema.type === 'string') {
    schema.type = [schema.type, 'null']
    if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null]
  }
  delete schema.nullable
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[exclusive] === true) {
      schema[exclusive] = schema[inclusive]
      delete schema[inclusive]
    } else if (schema[exclusive] === false) delete schema[exclusive]
  }
}
