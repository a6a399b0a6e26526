import { localReference, type Pointer } from '../json/pointer.ts'

/** The URI of a document for Ajv, which compiles its schemas. */
export const documentUri = 'contract:/document'

/** The place that a schema refers to, if that is all that it does. */
export const pointerOf = (schema: unknown): Pointer | null =>
  typeof schema === 'object' &&
  schema !== null &&
  '$ref' in schema &&
  typeof schema.$ref === 'string' &&
  Object.keys(schema).length === 1
    ? localReference(schema.$ref)
    : null

/** The schema with its `#/…` references pointing into the document that it stands beside. */
export const absolute = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(absolute)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? `${documentUri}${value}`
        : absolute(value),
    ]),
  )
}
