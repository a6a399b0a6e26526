import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'

/** The examples of a schema, the preferred one first. */
export const schemaExamples = (schema: DocumentNode, at: Pointer): readonly Pointer[] => [
  ...(Object.hasOwn(schema, 'example') ? [step(at, 'example')] : []),
  ...(Array.isArray(schema.examples)
    ? [...schema.examples.keys()].map(index => step(step(at, 'examples'), index))
    : []),
]

/** The examples of a media type, a header or a parameter; a single one has the name `default`, as in Prism. */
export const namedExamples = (
  document: DocumentNode,
  at: Pointer,
): readonly { readonly name: string; readonly pointer: Pointer }[] => {
  const node = asNode(valueAt(document, at))
  const single = step(at, 'example')
  const named = Object.keys(asNode(node.examples)).flatMap(name => {
    const found = follow(document, step(step(at, 'examples'), name))
    return Object.hasOwn(found.node, 'value') ? [{ name, pointer: step(found.pointer, 'value') }] : []
  })
  return Object.hasOwn(node, 'example') ? [{ name: 'default', pointer: single }, ...named] : named
}
