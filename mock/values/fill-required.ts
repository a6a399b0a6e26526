import { childPlace, isArray, isObject, type Json, plainValue, type SchemaPlace } from '../../spec/index.ts'

/** The value with what is required and missing in it: samplers leave out properties that are required but not declared. */
export const fillRequired = (place: SchemaPlace, value: Json): Json => {
  if (isArray(value))
    return value.map((item, index) => {
      const each = childPlace(place, String(index))
      return each === null ? item : fillRequired(each, item)
    })
  if (!isObject(value)) return value
  const missing = place.required.filter(name => !Object.hasOwn(value, name))
  const present = Object.entries(value).map(([name, member]) => {
    const child = childPlace(place, name)
    return [name, child === null ? member : fillRequired(child, member)] as const
  })
  return Object.fromEntries([
    ...present,
    ...missing.map(name => {
      const child = childPlace(place, name)
      return [name, child === null ? name : plainValue(child, null, name)] as const
    }),
  ])
}
