import { isObject, type Json, propertyPlace, type SchemaPlace } from '../../spec/index.ts'

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
