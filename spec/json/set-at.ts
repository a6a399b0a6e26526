import { isArray, isObject, type Json } from './json.ts'
import { type Pointer, steps } from './pointer.ts'

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
