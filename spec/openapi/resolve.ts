import { type Pointer, step, steps } from '../json/pointer.ts'
import type { Place } from './diagnostic.ts'
import type { Files } from './files.ts'
import { normal, type Origin, targetOf } from './source-map.ts'
import { isTable, walkReferences } from './walk-references.ts'

type Fault = { readonly message: string; readonly place?: Place | null }

/** What a reference in a file refers to, or why it leads nowhere. `at`: where the reference is, as an `$id` around it is its base. */
export type Resolve = (url: string, reference: string, at?: Pointer) => Origin | Fault

/** More `$ref`s than this on the way to one target lead nowhere. */
const mostHops = 50

/** Finds all targets in the files as they were read, before the bundle changes them. */
export const createResolver = (files: Files): Resolve => {
  const names = namesIn(files)
  const resources = resourcesIn(files)
  const known = new Map<string, ReturnType<Resolve>>()

  const resolve: Resolve = (url, reference, at = '') => {
    const base = resources.baseOf({ url, pointer: at })
    const key = JSON.stringify([url, base, reference])
    const found = known.get(key) ?? find(url, base, reference, 0)
    known.set(key, found)
    return found
  }

  /** In the schema resource that the reference names by its `$id`; null: there is none, or it has no such place. */
  const inResource = (base: string, reference: string, hops: number): Origin | null => {
    const { resource, fragment } = resources.find(base, reference)
    const file = resource === null ? undefined : files.get(resource.url)
    if (resource === null || file === undefined || 'problem' in file) return null
    if (fragment !== '' && !fragment.startsWith('/')) return names.get(`${resource.url}#${fragment}`) ?? null
    return descend(resource.url, file.value, steps(resource.pointer + fragment), hops)
  }

  const find = (url: string, uri: string, reference: string, hops: number): ReturnType<Resolve> => {
    const resource = hops > mostHops ? null : inResource(uri, reference, hops)
    if (resource !== null) return resource
    const dead = { message: `the $ref "${reference}" cannot be resolved` }
    const target = targetOf(url, reference)
    if (target === null || hops > mostHops) return dead
    const [base = '', fragment = ''] = reference.split('#')
    const named = names.get(target.url) ?? names.get(base)
    const at = base !== '' && named !== undefined ? named : { url: target.url, pointer: '' }
    const file = files.get(at.url)
    if (file === undefined) return dead
    if ('problem' in file) return file.problem
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchor = names.get(`${at.url}#${target.pointer}`)
      return anchor ?? { message: `the reference #${fragment} cannot be resolved: no $anchor has this name` }
    }
    return descend(at.url, file.value, steps(at.pointer + target.pointer), hops) ?? dead
  }

  const descend = (url: string, root: unknown, path: readonly string[], hops: number): Origin | null => {
    let value = root
    let pointer: Pointer = ''
    for (const [index, name] of path.entries()) {
      if (isTable(value) && typeof value.$ref === 'string' && !Object.hasOwn(value, name)) {
        const next = find(url, resources.baseOf({ url, pointer }), value.$ref, hops + 1)
        if ('message' in next) return null
        const file = files.get(next.url)
        if (file === undefined || 'problem' in file) return null
        return descend(next.url, file.value, [...steps(next.pointer), ...path.slice(index)], hops + 1)
      }
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
      value = (value as Record<string, unknown>)[name]
      pointer = step(pointer, name)
    }
    return value === undefined ? null : { url, pointer }
  }

  for (const [url, file] of files)
    if ('value' in file && isTable(file.value))
      walkReferences(file.value, '', ({ node, at }) => void resolve(url, node.$ref, at))
  return resolve
}

/** Places that have names: the `$self` of a file, the `$id`s and anchors of its schemas. */
const namesIn = (files: Files): ReadonlyMap<string, Origin> => {
  const names = new Map<string, Origin>()
  for (const [url, file] of files) {
    if (!('value' in file) || !isTable(file.value)) continue
    const add = (name: unknown, pointer: Pointer): void => {
      const target = typeof name === 'string' ? targetOf(url, name) : null
      if (target === null) return
      names.set(target.url, { url, pointer })
      names.set(normal(String(name)), { url, pointer }).set(String(name), { url, pointer })
    }
    add(file.value.$self, '')
    const visit = (node: object, at: Pointer): void => {
      for (const [key, value] of Object.entries(node)) {
        if (typeof value === 'object' && value !== null) visit(value, step(at, key))
        else if (typeof value !== 'string') continue
        else if (key === '$id' && at !== '') add(value, at)
        else if (key === '$anchor' || key === '$dynamicAnchor')
          names.set(`${url}#${value}`, { url, pointer: at })
      }
    }
    visit(file.value, '')
  }
  return names
}

/** The schemas with an `$id`: each is the base of the references in it (JSON Schema 2020-12, core 8.2.1). */
type Resources = {
  /** The base of references at a place. */
  readonly baseOf: (at: Origin) => string
  /** The resource that a reference names, null if none has this URI, and its fragment. */
  readonly find: (
    base: string,
    reference: string,
  ) => { readonly resource: Origin | null; readonly fragment: string }
}

const resourcesIn = (files: Files): Resources => {
  const byUri = new Map<string, Origin>()
  const inFile = new Map<string, { readonly pointer: Pointer; readonly uri: string }[]>()
  const visit = (node: object, url: string, pointer: Pointer, base: string): void => {
    const id = isTable(node) && pointer !== '' && typeof node.$id === 'string' ? uriOf(base, node.$id) : null
    if (id !== null && !byUri.has(id.uri)) {
      byUri.set(id.uri, { url, pointer })
      // Outer ones come first.
      inFile.set(url, [...(inFile.get(url) ?? []), { pointer, uri: id.uri }])
    }
    for (const [key, value] of Object.entries(node))
      if (typeof value === 'object' && value !== null && !isData(key))
        visit(value, url, step(pointer, key), id?.uri ?? base)
  }
  for (const [url, file] of files) if ('value' in file && isTable(file.value)) visit(file.value, url, '', url)
  return {
    baseOf: ({ url, pointer }) =>
      inFile.get(url)?.findLast(each => `${pointer}/`.startsWith(`${each.pointer}/`))?.uri ?? url,
    find: (base, reference) => {
      const target = byUri.size === 0 ? null : uriOf(base, reference)
      return { resource: byUri.get(target?.uri ?? '') ?? null, fragment: target?.fragment ?? '' }
    },
  }
}

const isData = (key: string): boolean =>
  key === 'example' || key === 'examples' || key === 'const' || key === 'enum'

const uriOf = (
  base: string,
  reference: string,
): { readonly uri: string; readonly fragment: string } | null => {
  if (!URL.canParse(reference, base)) return null
  const { href, hash } = new URL(reference, base)
  try {
    return {
      uri: hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length),
      fragment: decodeURIComponent(hash.slice(1)),
    }
  } catch {
    return null
  }
}
