import { step } from '../json/pointer.ts'
import { placeOf, type SchemaPlace } from './locations.ts'

/** The declared properties of an object whose schema names their types. */
export const typedProperties = (root: SchemaPlace): readonly SchemaPlace[] =>
  root.types?.join() === 'object'
    ? root.properties.flatMap(name => {
        const place = placeOf(root, step('', name))
        return place?.types == null ? [] : [place]
      })
    : []

/** Whether an object has a free text, and beside it another one or a number without limits. */
export const hasCombinations = (root: SchemaPlace): boolean => {
  const properties = typedProperties(root)
  const texts = properties.filter(place => isFree(place, ['string']))
  return (
    texts.length > 1 || (texts.length > 0 && properties.some(place => isFree(place, ['integer', 'number'])))
  )
}

/** Whether a place has one of these types, and no rule that leaves out many of its values. */
const isFree = ({ types, keywords }: SchemaPlace, names: readonly string[]): boolean =>
  types?.some(type => names.includes(type)) === true &&
  !keywords.some(
    ({ keyword, value }) =>
      limits.includes(keyword) ||
      (keyword === 'format' && !/^u?int(?:32|64)$|^float$|^double$/.test(String(value))),
  )

const limits: readonly string[] = [
  'enum',
  'const',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'multipleOf',
]
