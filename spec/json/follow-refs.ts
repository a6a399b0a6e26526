import { localReference, type Pointer, valueAt } from './pointer.ts'

/** An object of the document. */
export type DocumentNode = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asNode = (value: unknown): DocumentNode => (isNode(value) ? value : {})

/** The object at a pointer with its local `$ref`s followed, and the pointer where it was found. */
export const follow = (
  document: DocumentNode,
  pointer: Pointer,
): { readonly node: DocumentNode; readonly pointer: Pointer } => {
  let at = pointer
  for (let hops = 0; hops < 50; hops++) {
    const node = asNode(valueAt(document, at))
    const target = typeof node.$ref === 'string' ? localReference(node.$ref) : null
    if (target === null) return { node, pointer: at }
    at = target
  }
  return { node: {}, pointer: at }
}
