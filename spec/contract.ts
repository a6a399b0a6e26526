import { createHash } from 'node:crypto'
import { exactLimits } from './limits.ts'
import { localReference, type Pointer, step, valueAt } from './pointer.ts'
import type { Place } from './problem.ts'
import { createSchemaSet, type SchemaSet } from './schema.ts'
import type { Sources } from './source.ts'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE'
export type In = 'path' | 'query' | 'header' | 'cookie'

export type Media = { readonly type: string; readonly schema: Pointer | null; readonly pointer: Pointer }

export type Parameter = {
  readonly name: string
  readonly in: In
  readonly required: boolean
  readonly style: string
  readonly explode: boolean
  /** The media type of a parameter with `content`; its value is then JSON text. */
  readonly content: string | null
  readonly schema: Pointer | null
  readonly pointer: Pointer
}

export type RequestBody = {
  readonly required: boolean
  readonly media: readonly Media[]
  readonly pointer: Pointer
}

export type Header = {
  readonly name: string
  readonly required: boolean
  readonly schema: Pointer | null
  readonly pointer: Pointer
}

export type ResponseClause = {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly media: readonly Media[]
  readonly headers: readonly Header[]
  readonly pointer: Pointer
}

export type Scheme =
  | { readonly kind: 'bearer'; readonly name: string; readonly pointer: Pointer }
  | { readonly kind: 'basic'; readonly name: string; readonly pointer: Pointer }
  | {
      readonly kind: 'apiKey'
      readonly name: string
      readonly in: 'query' | 'header' | 'cookie'
      readonly key: string
      readonly pointer: Pointer
    }
  | { readonly kind: 'other'; readonly name: string; readonly type: string; readonly pointer: Pointer }

export type Operation = {
  readonly id: string
  readonly method: Method
  /** The path template, `/plants/{id}`. */
  readonly path: string
  readonly pointer: Pointer
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | null
  readonly responses: readonly ResponseClause[]
  /** Alternatives; each is a list of schemes that are needed together. Empty: no credentials are asked for. */
  readonly security: readonly (readonly Scheme[])[]
}

export type Contract = {
  readonly title: string
  readonly version: string
  readonly openapi: string
  /** SHA-256 of the bundled document, in hexadecimal. */
  readonly digest: string
  /** The file or URL it was read from. */
  readonly source: string
  readonly operations: readonly Operation[]
  /** The bundled document, its schemas JSON Schema 2020-12. */
  readonly document: Readonly<Record<string, unknown>>
  readonly schemas: SchemaSet
  readonly place: (pointer: Pointer) => Place
  /** The rule of the interface document that a place of the document comes from; null where none is named. */
  readonly rule: (pointer: Pointer) => string | null
}

/** Rules of an interface document by the pointers that they are written down at. */
export type Rules = Readonly<Record<Pointer, string>>

type Node = Readonly<Record<string, unknown>>

const methods: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']

/** Compiles a checked document; see `loadContract`. */
export const compileContract = (document: Node, sources: Sources, source: string, rules: Rules): Contract => {
  const info = asNode(document.info)
  return {
    title: String(info.title ?? 'untitled'),
    version: String(info.version ?? ''),
    openapi: String(document.openapi),
    digest: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
    source,
    operations: operationsOf(document),
    document,
    schemas: createSchemaSet(document, exactLimits(document, sources)),
    place: sources.place,
    rule: pointer => ruleOf(rules, pointer),
  }
}

// The rule of the nearest enclosing place.
const ruleOf = (rules: Rules, pointer: Pointer): string | null => {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const rule = rules[at]
    if (rule !== undefined) return rule
    if (at === '') return null
  }
}

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

const operationsOf = (document: Node): readonly Operation[] =>
  Object.keys(asNode(document.paths)).flatMap(path => {
    const item = follow(document, step('/paths', path))
    return methods.flatMap(method => {
      const key = method.toLowerCase()
      return Object.hasOwn(item.node, key)
        ? [operationAt(document, path, method, item.pointer, step(item.pointer, key))]
        : []
    })
  })

const operationAt = (
  document: Node,
  path: string,
  method: Method,
  item: Pointer,
  pointer: Pointer,
): Operation => {
  const { node } = follow(document, pointer)
  return {
    id:
      typeof node.operationId === 'string'
        ? node.operationId
        : `${method.toLowerCase()}${path.replace(/[{}]/g, '').replaceAll('/', '-')}`,
    method,
    path,
    pointer,
    summary: String(node.summary ?? node.description ?? ''),
    parameters: parametersOf(document, [step(item, 'parameters'), step(pointer, 'parameters')]),
    body: node.requestBody === undefined ? null : bodyOf(document, step(pointer, 'requestBody')),
    responses: Object.keys(asNode(node.responses)).map(status =>
      responseOf(document, status, step(step(pointer, 'responses'), status)),
    ),
    security: securityOf(document, node.security ?? document.security),
  }
}

const parametersOf = (document: Node, lists: readonly Pointer[]): readonly Parameter[] => {
  const found = new Map<string, Parameter>()
  for (const list of lists) {
    const items = valueAt(document, list)
    for (const index of Array.isArray(items) ? items.keys() : []) {
      const parameter = parameterAt(document, step(list, index))
      // OpenAPI: header parameters with these names are ignored, other parts of the document describe them.
      const ignored =
        parameter.in === 'header' && /^(accept|content-type|authorization)$/i.test(parameter.name)
      if (!ignored) found.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  return [...found.values()]
}

const parameterAt = (document: Node, at: Pointer): Parameter => {
  const { node, pointer } = follow(document, at)
  const where = node.in as In
  const style =
    typeof node.style === 'string' ? node.style : where === 'query' || where === 'cookie' ? 'form' : 'simple'
  const content = Object.keys(asNode(node.content))[0] ?? null
  const schema =
    content === null ? step(pointer, 'schema') : step(step(step(pointer, 'content'), content), 'schema')
  return {
    name: String(node.name),
    in: where,
    required: node.required === true,
    style,
    explode: typeof node.explode === 'boolean' ? node.explode : style === 'form',
    content,
    schema: valueAt(document, schema) === undefined ? null : schema,
    pointer,
  }
}

const mediaOf = (document: Node, pointer: Pointer): readonly Media[] =>
  Object.entries(asNode(valueAt(document, pointer))).map(([type, media]) => {
    const at = step(pointer, type)
    return { type, schema: asNode(media).schema === undefined ? null : step(at, 'schema'), pointer: at }
  })

const bodyOf = (document: Node, at: Pointer): RequestBody => {
  const { node, pointer } = follow(document, at)
  return { required: node.required === true, media: mediaOf(document, step(pointer, 'content')), pointer }
}

const responseOf = (document: Node, status: string, at: Pointer): ResponseClause => {
  const { node, pointer } = follow(document, at)
  return {
    status: status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(),
    media: mediaOf(document, step(pointer, 'content')),
    headers: Object.keys(asNode(node.headers)).map(name => {
      const header = follow(document, step(step(pointer, 'headers'), name))
      const schema = step(header.pointer, 'schema')
      return {
        name,
        required: header.node.required === true,
        schema: header.node.schema === undefined ? null : schema,
        pointer: header.pointer,
      }
    }),
    pointer,
  }
}

const securityOf = (document: Node, security: unknown): readonly (readonly Scheme[])[] => {
  if (!Array.isArray(security)) return []
  const alternatives = security.map(requirement =>
    Object.keys(asNode(requirement)).map(name => schemeOf(document, name)),
  )
  // An empty requirement makes the others optional.
  return alternatives.some(schemes => schemes.length === 0) ? [] : alternatives
}

const schemeOf = (document: Node, name: string): Scheme => {
  const { node, pointer } = follow(document, step('/components/securitySchemes', name))
  const scheme = String(node.scheme ?? '').toLowerCase()
  if (node.type === 'http' && (scheme === 'bearer' || scheme === 'basic'))
    return { kind: scheme, name, pointer }
  // Tokens of these are sent as bearer tokens (RFC 6750).
  if (node.type === 'oauth2' || node.type === 'openIdConnect') return { kind: 'bearer', name, pointer }
  if (node.type === 'apiKey')
    return { kind: 'apiKey', name, in: node.in as 'query', key: String(node.name), pointer }
  return { kind: 'other', name, type: node.type === 'http' ? `http ${scheme}` : String(node.type), pointer }
}
