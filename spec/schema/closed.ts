import { asNode } from '../json/follow-refs.ts'
import { steps, valueAt } from '../json/pointer.ts'
import { compilePattern } from '../patterns/pattern.ts'
import { documentOf, type SchemaPlace } from './locations.ts'

/** Whether an object may have declared properties only. */
export const isClosed = ({ keywords }: SchemaPlace): boolean =>
  keywords.some(
    ({ keyword, value }) =>
      (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') && value === false,
  )

/**
 * Whether an object may have a property: no part of its schema is closed without declaring it, as in an `allOf` of two closed schemas, and
 * its own schema is not `false`.
 */
export const mayHave = (place: SchemaPlace, name: string): boolean => {
  const document = documentOf(place)
  return place.schemas.every(pointer => {
    const { properties, patternProperties, additionalProperties } = asNode(valueAt(document, pointer))
    const declared = asNode(properties)
    if (Object.hasOwn(declared, name)) return declared[name] !== false
    return (
      additionalProperties !== false ||
      Object.keys(asNode(patternProperties)).some(pattern => compilePattern(pattern).test(name))
    )
  })
}

/** The tree of places as a list, parents first, without those that no value has. */
export const possiblePlaces = (root: SchemaPlace): readonly SchemaPlace[] => {
  const declared = new Set(root.properties)
  return [
    root,
    ...root.children.flatMap(child => {
      const name = steps(child.pattern).at(-1) ?? ''
      return !declared.has(name) || mayHave(root, name) ? possiblePlaces(child) : []
    }),
  ]
}
