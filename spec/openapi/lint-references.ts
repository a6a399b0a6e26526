import { localReference, type Pointer, step, steps } from '../json/pointer.ts'

const kinds = new Set([
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
])
const single: Readonly<Record<string, string>> = { schema: 'schemas', requestBody: 'requestBodies' }

/** What kind of object OpenAPI has at a place, by its section of `components`; null if it is never referred to. */
const kindAt = (pointer: Pointer): string | null => {
  const names = steps(pointer)
  const [last = '', parent = ''] = names.toReversed()
  if (names.length === 2 && parent === 'paths') return 'pathItems'
  return single[last] ?? (kinds.has(parent) ? parent : null)
}

/** Reports every `$ref` to an object of the wrong kind, such as a response among the parameters. */
export const lintReferences = (document: unknown, report: (message: string, at: Pointer) => void): void => {
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null) return
    const kind = kindAt(at)
    if (kind === 'examples') return
    const { $ref: reference } = node as { readonly $ref?: unknown }
    const target = typeof reference === 'string' ? localReference(reference) : null
    const found = target === null ? null : kindAt(target)
    if (kind !== null && found !== null && found !== kind)
      report(`the $ref "${reference}" refers to ${found}, but this is a place for ${kind}`, step(at, '$ref'))
    // Below a schema, names are those of properties.
    if (kind === 'schemas') return
    for (const [key, value] of Object.entries(node))
      if (key !== 'example' && !key.startsWith('x-')) visit(value, step(at, key))
  }
  visit(document, '')
}
