import { isArray, isObject, type Json, parseJson } from './json.ts'

/** A JSON Pointer (RFC 6901): `''` for the whole document, `/paths/~1plants/post` for a place in it. */
export type Pointer = string

export const step = (at: Pointer, key: string | number): Pointer =>
  `${at}/${typeof key === 'string' && /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`

export const steps = (pointer: Pointer): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map(key => (key.includes('~') ? key.replaceAll('~1', '/').replaceAll('~0', '~') : key))

/** The place around a place; `''` around the whole document. */
export const parentOf = (at: Pointer): Pointer => at.slice(0, Math.max(0, at.lastIndexOf('/')))

/** The pointer of a local `$ref`: `/components/x` for `#/components/x`; null for any other `$ref`. */
export const localReference = (reference: string): Pointer | null => {
  if (reference === '#') return ''
  return reference.startsWith('#/') ? decodeURIComponent(reference.slice(1)) : null
}

export const valueAt = (root: unknown, pointer: Pointer): unknown =>
  steps(pointer).reduce<unknown>(memberOf, root)

/** One step further: what an object or a list has by this name. */
export const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

/** The value with another one at the place of the pattern (undefined: without it); `*` is the last item or the first property. */
export const setAt = (value: Json, pattern: Pointer, to: Json | undefined): Json =>
  edit(value, steps(pattern), to)

const edit = (value: Json, path: readonly string[], to: Json | undefined): Json => {
  const [name, ...rest] = path
  if (name === undefined) return to ?? null
  if (isArray(value)) {
    // The last, as the first ones may have places of their own: `prefixItems`.
    const at = name === '*' ? Math.max(0, value.length - 1) : Number(name)
    const items = [...value]
    if (to === undefined && rest.length === 0) items.splice(at, 1)
    else items[at] = edit(items[at] ?? null, rest, to)
    return items
  }
  const object = isObject(value) ? value : {}
  const key = name === '*' ? (Object.keys(object)[0] ?? 'extra') : name
  if (to === undefined && rest.length === 0)
    return Object.fromEntries(Object.entries(object).filter(([other]) => other !== key))
  const inner = edit(object[key] ?? null, rest, to)
  return Object.hasOwn(object, key)
    ? Object.fromEntries(Object.entries(object).map(([other, old]) => [other, other === key ? inner : old]))
    : Object.fromEntries([...Object.entries(object), [key, inner]])
}

/** A copy as JSON has it: the caller's value may change. Throws TypeError if it is none. */
export const jsonCopy = (value: unknown): Json | undefined => {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : parseJson(text)
}
