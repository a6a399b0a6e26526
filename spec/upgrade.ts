type Node = Record<string, unknown>

/**
 * Turns the Schema Objects of a document into JSON Schema 2020-12, in place. OpenAPI 3.1 has them so already; those of
 * 3.0 are rewritten: `nullable` becomes a type, `exclusiveMinimum: true` a number, and siblings of `$ref` are dropped.
 */
export const upgrade = (document: Node): Node => {
  if (/^3\.0\./.test(String(document.openapi))) rewriteObject(document)
  return document
}

/**
 * Drops what stands beside a `$ref`: OpenAPI 3.0 ignores it, and the bundler would merge it into its target. Only
 * a path has fields of its own beside one. Works in place.
 */
export const dropSiblings = (value: unknown, key = ''): void => {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value) && typeof value.$ref === 'string' && !key.startsWith('/')) onlyReference(value)
  else for (const [name, child] of Object.entries(value)) dropSiblings(child, name)
}

const onlyReference = (node: Node): void => {
  for (const key of Object.keys(node)) if (key !== '$ref') delete node[key]
}

/** Fields of OpenAPI objects that hold named things: a name says nothing of what it names (`responses.default`). */
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

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Any object of OpenAPI but a Schema Object.
const rewriteObject = (node: Node): void => {
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
  // OpenAPI 3.0.3: nullable counts only beside a type, and an enum that takes null says so itself.
  if (schema.nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null']
  delete schema.nullable
  rewriteLimit(schema, 'exclusiveMinimum', 'minimum')
  rewriteLimit(schema, 'exclusiveMaximum', 'maximum')
  for (const key of ['items', 'additionalProperties', 'not']) rewriteSchema(schema[key])
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(schema[key])) schema[key].forEach(rewriteSchema)
  if (isNode(schema.properties)) Object.values(schema.properties).forEach(rewriteSchema)
}

const rewriteLimit = (schema: Node, exclusive: string, inclusive: string): void => {
  if (typeof schema[exclusive] !== 'boolean') return
  if (schema[exclusive] === true && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive]
    delete schema[inclusive]
  } else delete schema[exclusive]
}
