import { isArray, isObject, type Json, plainValue, type SchemaPlace, steps } from '../../spec/index.ts'

/** The value with what is required and missing in it: samplers leave out properties that are required but not declared. */
export const fillRequired = (place: SchemaPlace, value: Json): Json => {
  const childOf = (name: string): SchemaPlace | undefined =>
    place.children.find(({ pattern }) => steps(pattern).at(-1) === name)
  const each = childOf('*')
  if (isArray(value)) return each === undefined ? value : value.map(item => fillRequired(each, item))
  if (!isObject(value)) return value
  const missing = place.required.filter(name => !Object.hasOwn(value, name))
  const present = Object.entries(value).map(([name, member]) => {
    const child = childOf(name) ?? each
    return [name, child === undefined ? member : fillRequired(child, member)] as const
  })
  return Object.fromEntries([
    ...present,
    ...missing.map(name => {
      const child = childOf(name) ?? each
      return [name, child === undefined ? name : plainValue(child, null, name)] as const
    }),
  ])
}
