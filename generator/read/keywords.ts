/** A schema as it stands in its document, and safe ways to read its keywords. */
export type SchemaObject = { readonly [keyword: string]: unknown }
export type Schema = boolean | SchemaObject

/** Finds a schema outside the document by its absolute URI. */
export type SchemaLookup = (uri: string) => Schema | undefined

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'boolean' || isSchemaObject(value)

/** The value of a keyword; inherited properties such as `toString` are no keywords. */
export const ownProperty = (schema: SchemaObject, keyword: string): unknown =>
  Object.hasOwn(schema, keyword) ? schema[keyword] : undefined

export const subschema = (schema: SchemaObject, keyword: string): Schema | undefined => {
  const value = ownProperty(schema, keyword)
  return isSchema(value) ? value : undefined
}

export const subschemas = (schema: SchemaObject, keyword: string): readonly Schema[] => {
  const value = ownProperty(schema, keyword)
  return Array.isArray(value) ? value.filter(isSchema) : []
}

export const namedSchemas = (
  schema: SchemaObject,
  keyword: string,
): readonly (readonly [string, Schema])[] => {
  const value = ownProperty(schema, keyword)
  if (!isSchemaObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]))
}

/** The strings of a list such as `required`; anything else in it is ignored. */
export const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

/** A count such as `maxItems`, which may be written 2.0 or exceed what any array could hold. */
export const countOf = (schema: SchemaObject, keyword: string): number | undefined => {
  const value = ownProperty(schema, keyword)
  const count = typeof value === 'number' ? value : JSON.isRawJSON(value) ? Number(value.rawJSON) : Number.NaN
  return count >= 0 ? Math.min(count, Number.MAX_SAFE_INTEGER) : undefined
}

export const singleApplicators = [
  'additionalProperties',
  'propertyNames',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
] as const

export const listApplicators = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const

export const namedApplicators = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
] as const

/** Every schema directly inside this one. */
export const children = (schema: SchemaObject): readonly Schema[] => [
  ...singleApplicators.map(keyword => subschema(schema, keyword)).filter(child => child !== undefined),
  ...listApplicators.flatMap(keyword => subschemas(schema, keyword)),
  ...namedApplicators.flatMap(keyword => namedSchemas(schema, keyword).map(entry => entry[1])),
]

/** Visits a schema and every schema inside it. */
export const walk = (schema: Schema, visit: (schema: SchemaObject) => void): void => {
  if (typeof schema === 'boolean') return
  visit(schema)
  for (const child of children(schema)) walk(child, visit)
}
