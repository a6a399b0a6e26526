import {
  children,
  isSchema,
  isSchemaObject,
  type KnownSchema,
  own,
  type Schema,
  type SchemaObject,
} from './keywords.ts'
import { refuse } from './refusal.ts'

/** One schema resource: what a `$id`, or the document itself, is the root of. */
type Resource = {
  readonly uri: string
  readonly root: unknown
  readonly anchors: Map<string, SchemaObject>
  readonly dynamicAnchors: Map<string, SchemaObject>
}

/** The resources passed through on the way to a schema, outermost first, each once. */
export type Scope = readonly Resource[]

export type Target = { readonly schema: Schema; readonly scope: Scope }

/** A schema with everything its references reach. */
export type SchemaDocument = {
  readonly schema: Schema
  readonly scope: Scope
  readonly enter: (schema: Schema, scope: Scope) => Scope
  readonly follow: (schema: SchemaObject, keyword: '$ref' | '$dynamicRef', scope: Scope) => Target
  readonly hasUnevaluated: boolean
  readonly hasFormats: boolean
  /** How many schemas stand inside one another, at the deepest place. */
  readonly nesting: number
}

// The second adds annotations to the first, nothing more.
const dialects = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
]
const placeholder = 'https://schema.invalid/'

/**
 * Opens a schema: finds its identifiers and anchors and follows every reference once, so that later none can
 * fail. `root` is the document in which `#/...` points; `known` gives well-known schemas by their address.
 * Refuses a reference that leads out of the document.
 */
export const openDocument = (schema: Schema, root: unknown, known: KnownSchema): SchemaDocument => {
  const resources = new Map<string, Resource>()
  const homes = new Map<object, Resource>()
  const referring: SchemaObject[] = []
  const dynamicScopes = { needed: false }
  const unevaluated = { found: false }
  const formats = { found: false }

  const resource = (uri: string, at: unknown): Resource => {
    const found = resources.get(uri)
    if (found !== undefined && found.root === at) return found
    const made = { uri, root: at, anchors: new Map(), dynamicAnchors: new Map() }
    if (found === undefined) resources.set(uri, made)
    return made
  }

  const visit = (at: Schema, outer: Resource): void => {
    if (typeof at === 'boolean' || homes.has(at)) return
    const dialect = own(at, '$schema')
    if (typeof dialect === 'string' && !dialects.includes(dialect.replace(/#$/, '')))
      refuse(`the dialect ${dialect} is not JSON Schema 2020-12`)
    const id = own(at, '$id')
    const home = typeof id === 'string' ? resource(withoutFragment(absolute(id, outer.uri)), at) : outer
    homes.set(at, home)
    const anchor = own(at, '$anchor')
    if (typeof anchor === 'string') home.anchors.set(anchor, at)
    const dynamicAnchor = own(at, '$dynamicAnchor')
    if (typeof dynamicAnchor === 'string') {
      home.anchors.set(dynamicAnchor, at)
      home.dynamicAnchors.set(dynamicAnchor, at)
    }
    if (typeof own(at, '$dynamicRef') === 'string') dynamicScopes.needed = true
    if (Object.hasOwn(at, 'unevaluatedProperties') || Object.hasOwn(at, 'unevaluatedItems'))
      unevaluated.found = true
    if (Object.hasOwn(at, 'format')) formats.found = true
    if (typeof own(at, '$ref') === 'string' || typeof own(at, '$dynamicRef') === 'string') referring.push(at)
    for (const child of children(at)) visit(child, home)
  }

  const homeOf = (at: Schema): Resource | undefined => (typeof at === 'boolean' ? undefined : homes.get(at))

  const resourceAt = (uri: string, reference: string): Resource => {
    const found = resources.get(uri)
    if (found !== undefined) return found
    const loaded = known(uri)
    if (loaded === undefined) return refuse(`the reference ${reference} leads out of the schema`)
    const made = resource(uri, loaded)
    visit(loaded, made)
    // Its own `$id` may call it by another name.
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
        ? refuse(`there is no anchor for the reference ${reference}`)
        : { schema: anchored, home: homes.get(anchored) ?? home }
    }
    let at: unknown = home.root
    let inside = home
    for (const part of fragment.split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      at =
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined
      if (isSchemaObject(at)) inside = homes.get(at) ?? inside
    }
    if (!isSchema(at)) return refuse(`there is no schema where the reference ${reference} points`)
    visit(at, inside)
    return { schema: at, home: homeOf(at) ?? inside }
  }

  const main = resource(placeholder, root ?? schema)
  visit(schema, main)
  for (let next = referring.pop(); next !== undefined; next = referring.pop())
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = own(next, keyword)
      if (typeof reference === 'string') locate(next, reference)
    }

  const enter = (at: Schema, scope: Scope): Scope => {
    const home = dynamicScopes.needed ? homeOf(at) : undefined
    return home === undefined || scope.includes(home) ? scope : [...scope, home]
  }

  const followed = new WeakMap<SchemaObject, { keyword: string; scope: Scope; target: Target }[]>()
  const follow: SchemaDocument['follow'] = (from, keyword, scope) => {
    const before = followed.get(from) ?? []
    const found = before.find(
      known =>
        known.keyword === keyword &&
        known.scope.length === scope.length &&
        known.scope.every((home, at) => home === scope[at]),
    )
    if (found !== undefined) return found.target
    const target = search(from, keyword, scope)
    followed.set(from, [...before, { keyword, scope, target }])
    return target
  }
  const search: SchemaDocument['follow'] = (from, keyword, scope) => {
    const reference = own(from, keyword) as string
    const target = locate(from, reference)
    const fragment = fragmentOf(absolute(reference, (homes.get(from) as Resource).uri), reference)
    if (keyword === '$dynamicRef' && isSchemaObject(target.schema)) {
      const name = own(target.schema, '$dynamicAnchor')
      if (name === fragment)
        for (const outer of scope) {
          const found = outer.dynamicAnchors.get(fragment)
          if (found !== undefined) return { schema: found, scope: enter(found, scope) }
        }
    }
    return { schema: target.schema, scope: enter(target.schema, scope) }
  }

  return {
    schema,
    scope: enter(schema, []),
    enter,
    follow,
    hasUnevaluated: unevaluated.found,
    hasFormats: formats.found,
    nesting: nestingOf(schema),
  }
}

const nestingOf = (schema: Schema): number =>
  typeof schema === 'boolean' ? 0 : 1 + Math.max(0, ...children(schema).map(nestingOf))

const absolute = (reference: string, base: string): string => {
  try {
    return new URL(reference, base).href
  } catch {
    return refuse(`the reference ${reference} cannot be resolved`)
  }
}

const withoutFragment = (address: string): string => address.split('#', 1)[0] as string

const fragmentOf = (address: string, reference: string): string => {
  const at = address.indexOf('#')
  try {
    return at < 0 ? '' : decodeURIComponent(address.slice(at + 1))
  } catch {
    return refuse(`the reference ${reference} cannot be read`)
  }
}
