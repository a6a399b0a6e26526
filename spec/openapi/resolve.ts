import { type Pointer, step, steps } from '../json/pointer.ts'
import type { Place } from './diagnostic.ts'
import type { Files } from './files.ts'
import { resourcesIn } from './schema-resources.ts'
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
