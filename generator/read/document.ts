/**
 * Reading a schema: the first step of the generator. A document is JSON Schema 2020-12 with its identifiers collected and its
 * references checked. Nothing here interprets a keyword.
 */
import {
  children,
  isSchema,
  isSchemaObject,
  ownProperty,
  type Schema,
  type SchemaLookup,
  type SchemaObject,
} from './keywords.ts'
import { throwUnsupported } from './unsupported.ts'

/** A schema resource (JSON Schema Core 2020-12, 4.3.5): the document itself, or a schema with an `$id`. */
type Resource = {
  readonly uri: string
  readonly root: unknown
  readonly anchors: Map<string, SchemaObject>
  readonly dynamicAnchors: Map<string, SchemaObject>
}

/** The resources that evaluation has entered on its way to a schema, outermost first, each once. */
export type DynamicScope = readonly Resource[]

export type ScopedSchema = { readonly schema: Schema; readonly scope: DynamicScope }

/** A schema with everything that its references reach. */
export type SchemaDocument = ScopedSchema & {
  /** The scope inside a schema that is entered from `scope`. */
  readonly enter: (schema: Schema, scope: DynamicScope) => DynamicScope
  readonly follow: (
    schema: SchemaObject,
    keyword: '$ref' | '$dynamicRef',
    scope: DynamicScope,
  ) => ScopedSchema
  readonly hasUnevaluated: boolean
  readonly hasFormats: boolean
  /** How many schemas are nested in one another, at most. */
  readonly nesting: number
  /** Whether what a schema means follows from where it stands in the document that `#/…` points into, whatever leads there. */
  readonly isPlain: boolean
}

// The second adds annotations to the first, nothing more.
const dialects = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
]
const placeholder = 'https://schema.invalid/'

/**
 * Opens a schema: collects its identifiers and anchors and follows every reference once, so that none can fail later.
 * `root` is the document that `#/…` points into; `lookup` finds well-known schemas by URI. Throws (see `attempt`) on a
 * reference that points outside.
 */
export const openDocument = (schema: Schema, root: unknown, lookup: SchemaLookup): SchemaDocument => {
  const resources = new Map<string, Resource>()
  const homes = new Map<object, Resource>()
  const referring: SchemaObject[] = []
  let hasDynamicReferences = false
  let hasUnevaluated = false
  let hasFormats = false
  let hasNames = false

  const resourceOf = (uri: string, at: unknown): Resource => {
    const known = resources.get(uri)
    if (known !== undefined && known.root === at) return known
    const made = { uri, root: at, anchors: new Map(), dynamicAnchors: new Map() }
    if (known === undefined) resources.set(uri, made)
    return made
  }

  const visit = (at: Schema, outer: Resource): void => {
    if (typeof at === 'boolean' || homes.has(at)) return
    const dialect = ownProperty(at, '$schema')
    if (typeof dialect === 'string' && !dialects.includes(dialect.replace(/#$/, '')))
      throwUnsupported(`the dialect ${dialect} is not JSON Schema 2020-12`)
    const id = ownProperty(at, '$id')
    const home = typeof id === 'string' ? resourceOf(withoutFragment(absolute(id, outer.uri)), at) : outer
    homes.set(at, home)
    const anchor = ownProperty(at, '$anchor')
    if (typeof anchor === 'string') home.anchors.set(anchor, at)
    const dynamicAnchor = ownProperty(at, '$dynamicAnchor')
    if (typeof dynamicAnchor === 'string') {
      home.anchors.set(dynamicAnchor, at)
      home.dynamicAnchors.set(dynamicAnchor, at)
    }
    const isDynamic = typeof ownProperty(at, '$dynamicRef') === 'string'
    hasNames ||= [id, anchor, dynamicAnchor].some(name => name !== undefined)
    hasDynamicReferences ||= isDynamic
    hasUnevaluated ||= Object.hasOwn(at, 'unevaluatedProperties') || Object.hasOwn(at, 'unevaluatedItems')
    hasFormats ||= Object.hasOwn(at, 'format')
    if (isDynamic || typeof ownProperty(at, '$ref') === 'string') referring.push(at)
    for (const child of children(at)) visit(child, home)
  }

  const homeOf = (at: Schema): Resource | undefined => (typeof at === 'boolean' ? undefined : homes.get(at))

  const resourceAt = (uri: string, reference: string): Resource => {
    const known = resources.get(uri)
    if (known !== undefined) return known
    const loaded = lookup(uri)
    if (loaded === undefined) return throwUnsupported(`the reference ${reference} points outside the schema`)
    const made = resourceOf(uri, loaded)
    visit(loaded, made)
    // The loaded schema's `$id` may give it another URI.
    return homeOf(loaded) ?? made
  }

  const locate = (from: SchemaObject, reference: string): { schema: Schema; home: Resource } => {
    const base = homes.get(from) as Resource
    const address = absolute(reference, base.uri)
    const home = resourceAt(withoutFragment(address), reference)
    const fragment = fragmentOf(address, reference)
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchored = home.anchors.get(fragment)
      return anchored === undefined
        ? throwUnsupported(`the reference ${reference} names an unknown anchor`)
        : { schema: anchored, home: homes.get(anchored) ?? home }
    }
    let at: unknown = home.root
    let inside = home
    for (const segment of fragment.split('/').slice(1)) {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      at =
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined
      if (isSchemaObject(at)) inside = homes.get(at) ?? inside
    }
    if (!isSchema(at)) return throwUnsupported(`the reference ${reference} does not point to a schema`)
    visit(at, inside)
    return { schema: at, home: homeOf(at) ?? inside }
  }

  visit(schema, resourceOf(placeholder, root ?? schema))
  // Following a reference may visit schemas that refer to others.
  for (let next = referring.pop(); next !== undefined; next = referring.pop())
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = ownProperty(next, keyword)
      if (typeof reference === 'string') locate(next, reference)
    }

  const enter = (at: Schema, scope: DynamicScope): DynamicScope => {
    const home = hasDynamicReferences ? homeOf(at) : undefined
    return home === undefined || scope.includes(home) ? scope : [...scope, home]
  }

  const followed = new WeakMap<
    SchemaObject,
    { keyword: string; scope: DynamicScope; target: ScopedSchema }[]
  >()
  const follow: SchemaDocument['follow'] = (from, keyword, scope) => {
    const before = followed.get(from) ?? []
    const known = before.find(
      entry =>
        entry.keyword === keyword &&
        entry.scope.length === scope.length &&
        entry.scope.every((home, at) => home === scope[at]),
    )
    if (known !== undefined) return known.target
    const target = search(from, keyword, scope)
    followed.set(from, [...before, { keyword, scope, target }])
    return target
  }
  const search: SchemaDocument['follow'] = (from, keyword, scope) => {
    const reference = ownProperty(from, keyword) as string
    const target = locate(from, reference)
    const fragment = fragmentOf(absolute(reference, (homes.get(from) as Resource).uri), reference)
    if (keyword === '$dynamicRef' && isSchemaObject(target.schema)) {
      const name = ownProperty(target.schema, '$dynamicAnchor')
      if (name === fragment)
        for (const outer of scope) {
          const overriding = outer.dynamicAnchors.get(fragment)
          if (overriding !== undefined) return { schema: overriding, scope: enter(overriding, scope) }
        }
    }
    return { schema: target.schema, scope: enter(target.schema, scope) }
  }

  return {
    schema,
    scope: enter(schema, []),
    enter,
    follow,
    hasUnevaluated,
    hasFormats,
    nesting: nestingOf(schema),
    isPlain: !hasDynamicReferences && !hasUnevaluated && !hasNames,
  }
}

/** The schemas that the references of a schema lead to. */
export const referenceTargets = (
  document: SchemaDocument,
  schema: SchemaObject,
  scope: DynamicScope,
): readonly ScopedSchema[] =>
  (['$ref', '$dynamicRef'] as const).flatMap(keyword =>
    typeof ownProperty(schema, keyword) === 'string' ? [document.follow(schema, keyword, scope)] : [],
  )

const nestingOf = (schema: Schema): number =>
  typeof schema === 'boolean' ? 0 : 1 + Math.max(0, ...children(schema).map(nestingOf))

const absolute = (reference: string, base: string): string => {
  try {
    return new URL(reference, base).href
  } catch {
    return throwUnsupported(`the reference ${reference} cannot be resolved`)
  }
}

const withoutFragment = (address: string): string => address.split('#', 1)[0] as string

const fragmentOf = (address: string, reference: string): string => {
  const at = address.indexOf('#')
  try {
    return at < 0 ? '' : decodeURIComponent(address.slice(at + 1))
  } catch {
    return throwUnsupported(`the reference ${reference} has a malformed fragment`)
  }
}
