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
