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

/** Of the schemas of a large document each judges few values: optimizing the code for them costs more than it gains. */
export const isLarge = (document: object): boolean => {
  const { paths, components } = document as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const count = (node: unknown): number =>
    typeof node === 'object' && node !== null ? Object.keys(node).length : 0
  return count(paths) + count(components?.schemas) > largeFrom
}

const largeFrom = 100

/** Whether some schema depends on what those behind its `$ref`s have seen, so that these have to be compiled with it. */
export const looksBehindReferences = (node: unknown): boolean =>
  typeof node === 'object' &&
  node !== null &&
  (Array.isArray(node)
    ? node.some(looksBehindReferences)
    : Object.entries(node).some(([key, value]) => lookingBehind.has(key) || looksBehindReferences(value)))

const lookingBehind = new Set(['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'])

/** Whether lists are nested in lists more than `most` deep, with objects between them or not. */
export const nestsLists = (node: unknown, most: number): boolean =>
  typeof node === 'object' &&
  node !== null &&
  (Array.isArray(node)
    ? most === 0 || node.some(item => nestsLists(item, most - 1))
    : Object.values(node).some(value => nestsLists(value, most)))

/** Where a bundled document has what had no place of its own. */
const referenced = 'x-referenced'

/** Calls `use` while Ajv cannot see examples: it would take an `$id` in one for that of a schema. */
export const withoutExamples = (document: object, use: () => void): void => {
  const hidden: (readonly [node: Record<string, unknown>, key: string, value: unknown])[] = []
  const hide = (node: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue
      if (key !== 'example' && key !== 'examples' && !key.startsWith('x-')) hide(value as typeof node)
      // A property may have such a name; its schema has no `$id` either.
      else if (key !== referenced) {
        hidden.push([node, key, value])
        node[key] = undefined
      }
    }
  }
  hide(document as Record<string, unknown>)
  use()
  for (const [node, key, value] of hidden) node[key] = value
}
