import {
  canonical,
  isArray,
  isObject,
  type Json,
  type Pointer,
  propertyPlace,
  type SchemaPlace,
  setAt,
  steps,
  valueAt,
} from '../../spec/index.ts'

type PatchOperation = {
  readonly op: string
  readonly path: Pointer
  readonly from?: Pointer
  readonly value?: Json
}

/** A list of operations on a value (RFC 6902). */
export type JsonPatch = readonly PatchOperation[]

/** Whether the body of a PATCH is a list of operations. */
export const isJsonPatch = (body: Json | undefined): body is JsonPatch & Json =>
  isArray(body) &&
  body.length > 0 &&
  body.every(each => isObject(each) && typeof each.op === 'string' && typeof each.path === 'string')

/** The value after all operations; a text: why one of them cannot be done, in which case none is. */
export const applyPatch = (value: Json, patch: JsonPatch): { readonly value: Json } | string => {
  let current = value
  for (const [index, operation] of patch.entries()) {
    const done = apply(current, operation)
    if (typeof done === 'string') return `operation ${index + 1} (${operation.op} ${operation.path}): ${done}`
    current = done.value
  }
  return { value: current }
}

type Done = { readonly value: Json } | string

const apply = (value: Json, { op, path, from = '', value: given }: PatchOperation): Done => {
  const at = (pointer: Pointer): Json | undefined => valueAt(value, pointer) as Json | undefined
  switch (op) {
    case 'add':
      return given === undefined ? 'it has no value' : added(value, path, given)
    case 'replace':
      if (given === undefined) return 'it has no value'
      return at(path) === undefined ? nothingAt(path) : { value: setAt(value, path, given) }
    case 'remove':
      return removed(value, path)
    case 'test':
      return at(path) !== undefined && canonical(at(path) as Json) === canonical(given ?? null)
        ? { value }
        : 'the value is another one'
    case 'copy':
    case 'move': {
      const moved = at(from)
      if (moved === undefined) return nothingAt(from)
      if (op === 'copy') return added(value, path, moved)
      if (path.startsWith(`${from}/`)) return 'nothing can be moved into itself'
      const rest = removed(value, from)
      return typeof rest === 'string' ? rest : added(rest.value, path, moved)
    }
    default:
      // The document allows it, so the request is valid, and RFC 6902 does not say what it does.
      return { value }
  }
}

const nothingAt = (path: Pointer): string => `there is nothing at ${path}`

const removed = (value: Json, path: Pointer): Done => {
  if (path === '') return 'the whole cannot be removed'
  return valueAt(value, path) === undefined ? nothingAt(path) : { value: setAt(value, path, undefined) }
}

/** In a list, what is at an index moves on, and `-` is the end. */
const added = (value: Json, path: Pointer, given: Json): Done => {
  if (path === '') return { value: given }
  const name = steps(path).at(-1) ?? ''
  const around = path.slice(0, path.lastIndexOf('/'))
  const parent = valueAt(value, around) as Json | undefined
  if (parent !== undefined && isObject(parent)) return { value: setAt(value, path, given) }
  if (parent === undefined || !isArray(parent)) return nothingAt(around)
  const index = name === '-' ? parent.length : /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1
  if (index < 0 || index > parent.length) return `${name} is no index of the list`
  return { value: setAt(value, around, parent.toSpliced(index, 0, given)) }
}

/**
 * A value with a JSON merge patch applied (RFC 7396): null removes a member, objects are merged, all else is replaced. A member that may
 * be null is null then: a client that sent it finds it again. `place`: of the value.
 */
export const mergePatch = (target: Json, patch: Json, place: SchemaPlace | null): Json => {
  if (!isObject(patch)) return patch
  const merged: Record<string, Json> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    const child = place === null ? null : propertyPlace(place, name)
    if (value === null && child?.readAs?.includes('null') !== true) delete merged[name]
    else merged[name] = mergePatch(merged[name] ?? null, value, child)
  }
  return merged
}
