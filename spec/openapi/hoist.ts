import { asNode } from '../json/follow-refs.ts'
import { type Pointer, step, steps } from '../json/pointer.ts'
import type { Files } from './files.ts'
import { createResolver, type Resolve } from './resolve.ts'
import type { Origin } from './source-map.ts'
import { isTable, type MutableNode, walkReferences } from './walk-references.ts'

/** A schema with a discriminator, as its file has it. */
type Marked = { readonly origin: Origin; readonly schema: MutableNode; readonly targets: Map<string, Origin> }

/**
 * Makes components of the document of the schemas in other files that a discriminator chooses among, as its values are names of
 * components: the alternatives of `oneOf` and `anyOf`, the targets of `mapping`, and what extends a base by `allOf`. All references to
 * them then lead there. Changes the values of the files.
 */
export const hoistDiscriminated = (rootUrl: string, files: Files): void => {
  const root = valueIn(files, rootUrl)
  if (files.size < 2 || root === null) return
  const resolve = createResolver(files)
  const marked = markedIn(files, resolve)
  const outside = marked.filter(({ origin, targets }) =>
    [origin, ...targets.values()].some(({ url }) => url !== rootUrl),
  )
  if (outside.length === 0) return
  const [group, member] = root.swagger === undefined ? ['components', 'schemas'] : [null, 'definitions']
  const owner = group === null ? root : tableAt(root, group)
  const schemas = tableAt(owner, member)
  const place = group === null ? step('', member) : step(step('', group), member)
  const names = new Map<string, string>()
  const nameFor = (origin: Origin): string | null => {
    const own = ownName(origin)
    if (own === null) return null
    if (origin.url === rootUrl) return origin.pointer === step(place, own) ? own : null
    const known = names.get(idOf(origin))
    if (known !== undefined) return known
    let name = own
    for (let count = 2; Object.hasOwn(schemas, name); count++) name = `${own}-${count}`
    schemas[name] = { $ref: `${origin.url}#${encodeURI(origin.pointer)}` }
    names.set(idOf(origin), name)
    return name
  }
  const referenceTo = (name: string): string => `${rootUrl}#${encodeURI(step(place, name))}`
  const added = new Set<unknown>()
  for (const { origin, schema, targets } of outside) {
    if (isBase(schema)) nameFor(origin)
    const { discriminator } = schema
    const mapping: Record<string, unknown> = {}
    for (const [value, reference] of Object.entries(asNode(asNode(discriminator).mapping))) {
      const target = mapped(files, resolve, origin.url, reference)
      const name = target === null ? null : nameFor(target)
      mapping[value] = name === null ? reference : referenceTo(name)
    }
    const explicit = new Set(Object.values(mapping))
    for (const target of targets.values()) {
      const name = nameFor(target)
      const own = ownName(target)
      if (name !== null && own !== null && own !== name && !explicit.has(referenceTo(name)))
        mapping[own] = referenceTo(name)
    }
    if (isTable(discriminator) && Object.keys(mapping).length > 0) discriminator.mapping = mapping
  }
  for (const name of names.values()) added.add(schemas[name])
  for (const [url, file] of files) {
    if (!('value' in file) || !isTable(file.value)) continue
    walkReferences(file.value, '', ({ node, at }) => {
      const target = added.has(node) ? null : resolve(url, node.$ref, at)
      const name = target === null || 'message' in target ? undefined : names.get(idOf(target))
      if (name !== undefined) (node as MutableNode).$ref = referenceTo(name)
    })
  }
}

const idOf = ({ url, pointer }: Origin): string => `${url}#${pointer}`

const valueIn = (files: Files, url: string): MutableNode | null => {
  const file = files.get(url)
  return file !== undefined && 'value' in file && isTable(file.value) ? file.value : null
}

const tableAt = (parent: MutableNode, name: string): MutableNode => {
  const known = parent[name]
  if (isTable(known)) return known
  const made: MutableNode = {}
  parent[name] = made
  return made
}

/** The name that a place gives a schema: that of a component or definition, or of a file that is a schema. Null: none. */
const ownName = ({ url, pointer }: Origin): string | null => {
  if (pointer === '') {
    const file = decodeURI(new URL(url).pathname).split('/').at(-1) ?? ''
    return file === '' ? null : file.replace(/(?<!^)\.\w+$/, '')
  }
  const [, name] = /^(?:\/components\/schemas|\/definitions|\/\$defs|)(\/[^/]+)$/.exec(pointer) ?? []
  return name === undefined ? null : (steps(name)[0] ?? null)
}

const isBase = ({ oneOf, anyOf }: MutableNode): boolean => oneOf === undefined && anyOf === undefined

/** What a value of `mapping` means: a schema by its name in the same file, or by a reference. Null: nothing that is known. */
const mapped = (files: Files, resolve: Resolve, url: string, reference: unknown): Origin | null => {
  if (typeof reference !== 'string') return null
  const byName = asNode(asNode(valueIn(files, url)?.components).schemas)
  const text = Object.hasOwn(byName, reference)
    ? `#${encodeURI(step('/components/schemas', reference))}`
    : reference
  if (!/[./#]/.test(text)) return null
  const target = resolve(url, text)
  return 'message' in target ? null : target
}

/** All schemas with a discriminator, and the schemas that it chooses among. */
const markedIn = (files: Files, resolve: Resolve): readonly Marked[] => {
  const found: Marked[] = []
  const parents: { readonly origin: Origin; readonly ids: readonly string[] }[] = []
  const referred = ({ url, pointer }: Origin, list: unknown): readonly Origin[] =>
    (Array.isArray(list) ? list : []).flatMap(part => {
      const target = isTable(part) && typeof part.$ref === 'string' ? resolve(url, part.$ref, pointer) : null
      return target === null || 'message' in target ? [] : [target]
    })
  const visit = (node: object, url: string, pointer: Pointer): void => {
    if (isTable(node)) {
      const origin = { url, pointer }
      const { discriminator, allOf, oneOf, anyOf } = node
      if (typeof asNode(discriminator).propertyName === 'string' || typeof discriminator === 'string') {
        const values = Object.values(asNode(asNode(discriminator).mapping))
        const targets = [
          ...referred(origin, oneOf),
          ...referred(origin, anyOf),
          ...values.flatMap(reference => mapped(files, resolve, url, reference) ?? []),
        ]
        found.push({ origin, schema: node, targets: new Map(targets.map(each => [idOf(each), each])) })
      }
      const ids = referred(origin, allOf).map(idOf)
      if (ids.length > 0 && ownName(origin) !== null) parents.push({ origin, ids })
    }
    for (const [key, value] of Object.entries(node))
      if (typeof value === 'object' && value !== null) visit(value, url, step(pointer, key))
  }
  for (const [url, file] of files) if ('value' in file && isTable(file.value)) visit(file.value, url, '')
  for (const { origin, schema, targets } of found) {
    if (!isBase(schema)) continue
    const line = new Set([idOf(origin)])
    for (const id of line)
      for (const child of parents)
        if (child.ids.includes(id) && !line.has(idOf(child.origin))) {
          line.add(idOf(child.origin))
          targets.set(idOf(child.origin), child.origin)
        }
  }
  return found
}
