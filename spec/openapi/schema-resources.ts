import { type Pointer, step } from '../json/pointer.ts'
import type { Files } from './files.ts'
import type { Origin } from './source-map.ts'
import { isTable } from './walk-references.ts'

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

export const resourcesIn = (files: Files): Resources => {
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
