type MutableNode = Record<string, unknown>

/**
 * Rewrites the Schema Objects of an OpenAPI 3.0 document as JSON Schema 2020-12, in place: `nullable` becomes a type,
 * `exclusiveMinimum: true` a number, and siblings of `$ref` are dropped. In OpenAPI 3.1 they need no change.
 */
export const upgrade = (document: MutableNode): MutableNode => {
  if (/^3\.0\./.test(String(document.openapi))) rewriteObject(document)
  return document
}

/**
 * Drops the siblings of every `$ref`, in place: OpenAPI 3.0 ignores them, but the bundler would merge them into the target.
 * Only a path may have other fields beside its `$ref`.
 */
export const dropSiblings = (value: unknown, key = ''): void => {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value) && typeof value.$ref === 'string' && !key.startsWith('/')) onlyReference(value)
  else for (const [name, child] of Object.entries(value)) dropSiblings(child, name)
}

const onlyReference = (node: MutableNode): void => {
  for (const key of Object.keys(node)) if (key !== '$ref') delete node[key]
}

/** Fields of OpenAPI objects with names chosen by the author: `default` in `responses` is no keyword. */
const maps = new Set([
  'paths',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'callbacks',
  'content',
  'encoding',
])

const isNode = (value: unknown): value is MutableNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// For any object of OpenAPI that is no Schema Object.
const rewriteObject = (node: MutableNode): void => {
  for (const [key, child] of Object.entries(node)) {
    if (key === 'example' || key === 'examples' || key.startsWith('x-')) continue
    if (key === 'schema') rewriteSchema(child)
    else if (key === 'schemas' && isNode(child)) Object.values(child).forEach(rewriteSchema)
    else if (Array.isArray(child)) child.filter(isNode).forEach(rewriteObject)
    else if (maps.has(key) && isNode(child)) Object.values(child).filter(isNode).forEach(rewriteObject)
    else if (isNode(child)) rewriteObject(child)
  }
}

const rewriteSchema = (schema: unknown): void => {
  if (!isNode(schema)) return
  if (typeof schema.$ref === 'string') {
    onlyReference(schema)
    return
  }
  // OpenAPI 3.0.3: `nullable` counts only beside a type, and an enum that allows null has to list it.
  if (schema.nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null']
  delete schema.nullable
  rewriteLimit(schema, 'exclusiveMinimum', 'minimum')
  rewriteLimit(schema, 'exclusiveMaximum', 'maximum')
  for (const key of ['items', 'additionalProperties', 'not']) rewriteSchema(schema[key])
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(schema[key])) schema[key].forEach(rewriteSchema)
  if (isNode(schema.properties)) Object.values(schema.properties).forEach(rewriteSchema)
}

const rewriteLimit = (schema: MutableNode, exclusive: string, inclusive: string): void => {
  if (typeof schema[exclusive] !== 'boolean') return
  if (schema[exclusive] === true && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive]
    delete schema[inclusive]
  } else delete schema[exclusive]
}
