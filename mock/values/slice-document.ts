import {
  asNode,
  type Contract,
  type DeclaredResponse,
  type DocumentNode,
  follow,
  isNode,
  localReference,
  type Operation,
  type Pointer,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import { boundedSchemas } from './bounded-schemas.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Changes parts of a document on their way to Prism. */
export type Rewrite = {
  /** Changes one schema, without those inside it; `name`: of its property or component. */
  readonly schema: (schema: DocumentNode, at: Pointer, name: string) => DocumentNode
  /** Changes a response header. */
  readonly header: (header: DocumentNode, at: Pointer) => DocumentNode
}

const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const schemasBelow = new Set(['items', 'additionalProperties', 'contains', 'unevaluatedItems'])
// A change to a schema that forbids or tests values would change which values are valid.
const fixedSchemas = new Set(['not', 'if', 'then', 'else', 'propertyNames', 'unevaluatedProperties'])

/**
 * A document with one response of one operation, what that refers to, and nothing else: Prism compiles the whole document
 * once for each operation, and goes through all of it for each sample. Examples of bodies are left out.
 */
export const sliceDocument = (
  { document }: Pick<Contract, 'document'>,
  operation: Operation,
  declared: DeclaredResponse,
  rewrite: Rewrite,
): object => {
  const securitySchemes = structuredClone(valueAt(document, '/components/securitySchemes')) as Record<
    string,
    unknown
  >
  const slice: Slice = { document, rewrite, parts: {}, components: { securitySchemes }, names: new Map() }
  const keys = contentKeys(document, declared)
  const node = asNode(valueAt(document, declared.pointer))
  const content = Object.fromEntries(keys.map(({ key }) => [key, asNode(node.content)[key]]))
  const cut = sliceObject(slice, { ...node, content }, declared.pointer) as DocumentNode
  // A range such as `image/*` stands as the type that was chosen of it.
  const response = {
    ...cut,
    content: Object.fromEntries(keys.map(({ key, type }) => [type, asNode(cut.content)[key]])),
  }
  const method = operation.method.toLowerCase()
  const whole = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    // Without the exact dialect Prism validates by draft-07.
    jsonSchemaDialect: dialect,
    paths: { [operation.path]: { [method]: { responses: { [declared.status]: response } } } },
    components: slice.components,
    'x-parts': slice.parts,
  }
  const at = ['paths', operation.path, method, 'responses', declared.status, 'content'].reduce(step, '')
  return boundedSchemas(
    whole,
    Object.keys(asNode(valueAt(whole, at))).map(type => step(step(at, type), 'schema')),
  )
}

/** The media types of a response with their keys in the document; all of them if it names none. */
const contentKeys = (
  document: DocumentNode,
  { pointer, media }: DeclaredResponse,
): readonly { readonly key: string; readonly type: string }[] => {
  const at = step(pointer, 'content')
  const all = Object.keys(asNode(valueAt(document, at)))
  if (media.length === 0) return all.map(key => ({ key, type: key }))
  return media.flatMap(({ type, pointer: target }) => {
    const key = all.find(each => follow(document, step(at, each)).pointer === target)
    return key === undefined ? [] : [{ key, type }]
  })
}

/** What is cut out so far. */
type Slice = {
  readonly document: DocumentNode
  readonly rewrite: Rewrite
  /** Targets of references that are no whole components, by new names. */
  readonly parts: Record<string, unknown>
  readonly components: Record<string, Record<string, unknown>>
  /** The new pointer of each target. */
  readonly names: Map<Pointer, Pointer>
}

type Walk = (slice: Slice, node: unknown, at: Pointer, name: string) => unknown

/** Cuts out the target of a reference; gives the reference to where it stands then. */
const sliceReference = (slice: Slice, reference: string, walk: Walk): string => {
  const { document, components, parts, names } = slice
  const pointer = localReference(reference)
  if (pointer === null || pointer === '') return reference
  const known = names.get(pointer)
  if (known !== undefined) return `#${encodeURI(known)}`
  const [first, kind = '', name = '', ...rest] = steps(pointer)
  const isComponent = first === 'components' && name !== '' && rest.length === 0
  const target = isComponent ? pointer : step('/x-parts', `part${names.size}`)
  names.set(pointer, target)
  const cut = walk(slice, valueAt(document, pointer), pointer, steps(pointer).at(-1) ?? '')
  if (isComponent) {
    components[kind] ??= {}
    components[kind][name] = cut
  } else parts[steps(target).at(-1) ?? ''] = cut
  return `#${encodeURI(target)}`
}

const sliceSchema: Walk = (slice, value, at, name) => {
  if (!isNode(value)) return value
  return mapped(slice.rewrite.schema(value, at, name), at, (key, child, here) => {
    if (key === '$ref' && typeof child === 'string') return sliceReference(slice, child, sliceSchema)
    if (schemaMaps.has(key) && isNode(child))
      return mapped(child, here, (property, item, to) => sliceSchema(slice, item, to, property))
    if (schemaLists.has(key) && Array.isArray(child))
      return child.map((item, index) => sliceSchema(slice, item, step(here, index), name))
    if (schemasBelow.has(key)) return sliceSchema(slice, child, here, name)
    // Prism looks for more names of a pattern until there are enough, and never ends if the pattern gives it one alone.
    if (key === 'minProperties' && isNode(value.patternProperties)) return undefined
    return fixedSchemas.has(key) ? sliceFixed(slice, child, here, name) : copied(key, child)
  })
}

/**
 * A copy of what is no schema, without extensions. Prism replaces every reference that it finds by its target: in our own document, that would
 * make circles.
 */
const copied = (key: string, child: unknown): unknown =>
  key.startsWith('x-') && key !== 'x-faker'
    ? undefined
    : typeof child === 'object' && child !== null
      ? structuredClone(child)
      : child

/** A schema that is not rewritten. */
const sliceFixed: Walk = (slice, value, at, name) => {
  if (Array.isArray(value)) return value.map((item, index) => sliceFixed(slice, item, step(at, index), name))
  if (!isNode(value)) return value
  return mapped(value, at, (key, child, here) =>
    key === '$ref' && typeof child === 'string'
      ? sliceReference(slice, child, sliceFixed)
      : sliceFixed(slice, child, here, name),
  )
}

/** A response, a media type, or another object with schemas inside. */
const sliceObject = (slice: Slice, value: unknown, at: Pointer): unknown => {
  if (!isNode(value)) return value
  return mapped(value, at, (key, child, here) => {
    if (key === '$ref' && typeof child === 'string') return sliceReference(slice, child, sliceObject)
    if (key === 'schema') return sliceSchema(slice, child, here, '')
    if (key === 'content' && isNode(child))
      return mapped(child, here, (_, media, to) => sliceObject(slice, withoutExamples(media), to))
    if (key === 'headers' && isNode(child))
      return mapped(child, here, (field, item, to) => sliceHeader(slice, item, to, field))
    return copied(key, child)
  })
}

const withoutExamples = (media: unknown): DocumentNode => {
  const { example: _, examples: __, ...rest } = media as DocumentNode
  return rest
}

const sliceHeader: Walk = (slice, value, at, name) => {
  if (!isNode(value)) return value
  if (typeof value.$ref === 'string')
    return {
      $ref: sliceReference(slice, value.$ref, (_, target, to) => sliceHeader(slice, target, to, name)),
    }
  return mapped(slice.rewrite.header(value, at), at, (key, child, here) =>
    key === 'schema' ? sliceSchema(slice, child, here, name) : copied(key, child),
  )
}

const mapped = (
  node: DocumentNode,
  at: Pointer,
  change: (key: string, child: unknown, at: Pointer) => unknown,
): DocumentNode =>
  Object.fromEntries(Object.entries(node).map(([key, child]) => [key, change(key, child, step(at, key))]))
