import { isTable, type MutableNode } from '../walk-references.ts'

/** The schema of some values: their types, and those of their properties and items. */
export const shapeOf = (values: readonly unknown[]): MutableNode => {
  const types = [...new Set(values.map(typeOf))].sort()
  const objects = values.filter(isTable)
  const names = [...new Set(objects.flatMap(Object.keys))]
  const items = values.filter(Array.isArray).flat()
  return {
    type: types.length === 1 ? types[0] : types,
    ...(names.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            names.map(name => [
              name,
              shapeOf(objects.flatMap(each => (Object.hasOwn(each, name) ? [each[name]] : []))),
            ]),
          ),
        }),
    ...(items.length === 0 ? {} : { items: shapeOf(items) }),
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
