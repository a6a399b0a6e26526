import { localReference, type Pointer, valueAt } from './pointer.ts'

/** An object of the document. */
export type Node = Readonly<Record<string, unknown>>

export const asNode = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {}

/** The object at a pointer, followed through local `$ref`s, with the pointer it was found at. */
export const follow = (
  document: Node,
  pointer: Pointer,
): { readonly node: Node; readonly pointer: Pointer } => {
  let at = pointer
  for (let hops = 0; hops < 50; hops++) {
    const node = asNode(valueAt(document, at))
    const target = typeof node.$ref === 'string' ? localReference(node.$ref) : null
    if (target === null) return { node, pointer: at }
    at = target
  }
  return { node: {}, pointer: at }
}
