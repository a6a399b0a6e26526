import { type Contract, localReference, type Operation, valueAt } from '../spec/index.ts'

type Node = Readonly<Record<string, unknown>>

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/**
 * The document with one operation only: Prism compiles every operation that it is given, and sorts them on each
 * request. A reference into the paths that are left out is turned to a copy of what it names.
 */
export const narrowDocument = ({ document }: Contract, operation: Operation): object => {
  const parts: Record<string, unknown> = {}
  const names = new Map<string, string>()
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        key === '$ref' && typeof child === 'string' ? part(child) : rewritten(child),
      ]),
    )
  }
  const part = (reference: string): string => {
    const pointer = localReference(reference)
    if (pointer === null || !pointer.startsWith('/paths/')) return reference
    let name = names.get(pointer)
    if (name === undefined) {
      name = `part${names.size}`
      names.set(pointer, name)
      parts[name] = rewritten(valueAt(document, pointer))
    }
    return `#/x-parts/${name}`
  }
  const method = operation.method.toLowerCase()
  const item = valueAt(document, operation.pointer.slice(0, operation.pointer.lastIndexOf('/'))) as Node
  const rest = rewritten({ ...document, paths: {} }) as Node
  const path = rewritten({
    ...(item.parameters === undefined ? {} : { parameters: item.parameters }),
    [method]: item[method],
  })
  return {
    ...rest,
    // Prism checks by draft-07 unless it is told the exact dialect.
    jsonSchemaDialect: dialect,
    paths: { [operation.path]: path },
    'x-parts': parts,
  }
}
