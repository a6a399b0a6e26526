/** A JSON Schema 2020-12 as it stands in a document, and safe ways to read its keywords. */
export type SchemaObject = { readonly [keyword: string]: unknown }
export type Schema = boolean | SchemaObject

/** Gives a schema that stands outside of the document, by its absolute URI. */
export type KnownSchema = (uri: string) => Schema | undefined

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'boolean' || isSchemaObject(value)

/** The keyword's own value: what an object inherits is no keyword. */
export const own = (schema: SchemaObject, keyword: string): unknown =>
  Object.hasOwn(schema, keyword) ? schema[keyword] : undefined

export const subschema = (schema: SchemaObject, keyword: string): Schema | undefined => {
  const value = own(schema, keyword)
  return isSchema(value) ? value : undefined
}

export const subschemas = (schema: SchemaObject, keyword: string): readonly Schema[] => {
  const value = own(schema, keyword)
  return Array.isArray(value) ? value.filter(isSchema) : []
}

export const namedSchemas = (
  schema: SchemaObject,
  keyword: string,
): readonly (readonly [string, Schema])[] => {
  const value = own(schema, keyword)
  if (!isSchemaObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]))
}

export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

/** A count such as `maxItems`, also when it is written 2.0 or goes beyond what an array could hold. */
export const countOf = (schema: SchemaObject, keyword: string): number | undefined => {
  const value = own(schema, keyword)
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

/** Every schema that stands directly inside this one. */
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
