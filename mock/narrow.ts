import {
  type Contract,
  localReference,
  type Node,
  type Operation,
  type Pointer,
  type ResponseClause,
  step,
  steps,
  valueAt,
} from '../spec/index.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** How a document is changed on its way to Prism. */
export type Rewrite = {
  /** One schema, of a property or component of this name, without what is below it. */
  readonly schema: (schema: Node, at: Pointer, name: string) => Node
  /** A response header. */
  readonly header: (header: Node, at: Pointer) => Node
}

const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas'])
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const schemasBelow = new Set(['items', 'additionalProperties', 'contains', 'unevaluatedItems'])
// What is forbidden or asked about must stay as it is.
const fixedSchemas = new Set(['not', 'if', 'then', 'else', 'propertyNames', 'unevaluatedProperties'])

/**
 * The document with one response of one operation and what that refers to, and nothing else: Prism compiles all that it
 * is given, once for each operation, and takes all of it in hand for each sample. It reads no example of a body here.
 */
export const narrowDocument = (
  { document }: Contract,
  operation: Operation,
  clause: ResponseClause,
  rewrite: Rewrite,
): object => {
  const parts: Record<string, unknown> = {}
  const components: Record<string, Record<string, unknown>> = {
    securitySchemes: valueAt(document, '/components/securitySchemes') as Record<string, unknown>,
  }
  const names = new Map<Pointer, Pointer>()

  const reference = (value: string, walk: (node: unknown, at: Pointer, name: string) => unknown): string => {
    const pointer = localReference(value)
    if (pointer === null || pointer === '') return value
    const [first, kind = '', name = '', ...rest] = steps(pointer)
    const isComponent = first === 'components' && name !== ''
    const whole = isComponent && rest.length === 0
    const known = names.get(pointer)
    if (known !== undefined) return `#${encodeURI(known)}`
    const own = whole ? pointer : step('/x-parts', `part${names.size}`)
    names.set(pointer, own)
    const made = walk(valueAt(document, pointer), pointer, steps(pointer).at(-1) ?? '')
    if (whole) components[kind] = { ...components[kind], [name]: made }
    else parts[steps(own).at(-1) ?? ''] = made
    return `#${encodeURI(own)}`
  }

  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && !Array.isArray(value)

  const schema = (value: unknown, at: Pointer, name: string): unknown => {
    if (!isNode(value)) return value
    return mapped(rewrite.schema(value, at, name), at, (key, child, here) => {
      if (key === '$ref' && typeof child === 'string') return reference(child, schema)
      if (schemaMaps.has(key) && isNode(child))
        return mapped(child, here, (own, item, to) => schema(item, to, own))
      if (schemaLists.has(key) && Array.isArray(child))
        return child.map((item, index) => schema(item, step(here, index), name))
      if (schemasBelow.has(key)) return schema(child, here, name)
      return fixedSchemas.has(key) ? fixed(child, here) : child
    })
  }
  const fixed = (value: unknown, at: Pointer): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => fixed(item, step(at, index)))
    if (!isNode(value)) return value
    return mapped(value, at, (key, child, here) =>
      key === '$ref' && typeof child === 'string' ? reference(child, fixed) : fixed(child, here),
    )
  }
  const object = (value: unknown, at: Pointer): unknown => {
    if (!isNode(value)) return value
    return mapped(value, at, (key, child, here) => {
      if (key === '$ref' && typeof child === 'string') return reference(child, object)
      if (key === 'schema') return schema(child, here, '')
      if (key === 'content' && isNode(child)) return mapped(child, here, (_, media, to) => body(media, to))
      if (key === 'headers' && isNode(child))
        return mapped(child, here, (own, item, to) => header(item, to, own))
      return child
    })
  }
  const body = (value: unknown, at: Pointer): unknown => {
    const { example: _, examples: __, ...rest } = value as Node
    return object(rest, at)
  }
  const header = (value: unknown, at: Pointer, name: string): unknown => {
    if (!isNode(value)) return value
    if (typeof value.$ref === 'string')
      return { $ref: reference(value.$ref, (node, to) => header(node, to, name)) }
    return mapped(rewrite.header(value, at), at, (key, child, here) =>
      key === 'schema' ? schema(child, here, name) : child,
    )
  }

  const response = object(valueAt(document, clause.pointer), clause.pointer)
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    // Prism checks by draft-07 unless it is told the exact dialect.
    jsonSchemaDialect: dialect,
    paths: {
      [operation.path]: { [operation.method.toLowerCase()]: { responses: { [clause.status]: response } } },
    },
    components,
    'x-parts': parts,
  }
}

const mapped = (
  node: Node,
  at: Pointer,
  change: (key: string, child: unknown, at: Pointer) => unknown,
): Node =>
  Object.fromEntries(Object.entries(node).map(([key, child]) => [key, change(key, child, step(at, key))]))
