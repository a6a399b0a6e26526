import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import type { Place, Problem } from '../openapi/diagnostic.ts'
import type { Operation } from './operation.ts'

/** Headers that HTTP sets for each message, whatever a document says of them. */
const headersOfHttp = /^(content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect)$/i

/** OpenAPI ignores parameters with these names, as other parts of the document describe them. */
const describedElsewhere = /^(accept|content-type|authorization)$/i

export const isIgnoredHeader = (name: string): boolean =>
  describedElsewhere.test(name) || headersOfHttp.test(name)

/** The header parameters that no request is made with, as HTTP sets them: one problem for each name. */
export const untestedHeaders = (
  operations: readonly Operation[],
  document: DocumentNode,
  place: (pointer: Pointer) => Place,
): readonly Problem[] => {
  const found = new Map<string, Pointer>()
  for (const { pointer } of operations)
    for (const owner of [pointer, pointer.slice(0, pointer.lastIndexOf('/'))]) {
      const list = step(owner, 'parameters')
      const items = valueAt(document, list)
      for (const index of Array.isArray(items) ? items.keys() : []) {
        const at = step(list, index)
        const { in: part, name } = asNode(follow(document, at).node)
        if (part === 'header' && headersOfHttp.test(String(name)) && !found.has(String(name)))
          found.set(String(name), at)
      }
    }
  return [...found].map(([name, at]) => ({
    message: `the header parameter ${name} is not tested: HTTP sets it`,
    place: place(at),
  }))
}
