import { isClosed } from '../../schema/closed.ts'
import { itemPlace, type SchemaPlace, type TypeName } from '../../schema/locations.ts'
import { typesAt, variantsOf } from '../../schema/variants.ts'

/**
 * What a fault in the JSON of a body may need: the brackets of an object or a list, a list or an object with a member, an object with a
 * member, something in quotation marks, a place where no list may be.
 */
export type ShownInJson = 'brackets' | 'items' | 'member' | 'quote' | 'no list'

const deepest = 4

/** What valid JSON of a place may have. */
export const shownInJson = (place: SchemaPlace, depth = deepest): ReadonlySet<ShownInJson> =>
  new Set(
    variantsOf(place).flatMap(variant => {
      const types = typesAt(variant)
      return types === null
        ? anything
        : [
            ...types.flatMap(type => shownInType(variant, type, depth)),
            ...(rulesOutLists(variant, types) ? (['no list'] as const) : []),
          ]
    }),
  )

/** Whether no list may be at a place, or in place of a text in it. */
const rulesOutLists = (place: SchemaPlace, types: readonly TypeName[]): boolean =>
  !types.includes('array') &&
  (place.types !== null ||
    types.join() !== 'object' ||
    place.children.some(child => child.types?.includes('string') && !child.types.includes('array')))

const anything = ['brackets', 'items', 'member', 'quote'] as const

const shownInType = (place: SchemaPlace, type: TypeName, depth: number): readonly ShownInJson[] => {
  switch (type) {
    case 'object':
      return mayHaveMembers(place) ? anything : ['brackets']
    case 'array':
      return ['brackets', 'items', ...shownInItems(place, depth)]
    case 'string':
      return ['quote']
    default:
      return []
  }
}

const limitOf = ({ keywords }: SchemaPlace, keyword: string): unknown =>
  keywords.find(use => use.keyword === keyword)?.value

const mayHaveMembers = (place: SchemaPlace): boolean =>
  limitOf(place, 'maxProperties') !== 0 &&
  (!isClosed(place) ||
    place.properties.length > 0 ||
    Object.keys(limitOf(place, 'patternProperties') ?? {}).length > 0)

const shownInItems = (place: SchemaPlace, depth: number): readonly ShownInJson[] => {
  if (limitOf(place, 'maxItems') === 0) return []
  const isFull = limitOf(place, 'items') === false || limitOf(place, 'unevaluatedItems') === false
  const others = isFull ? [] : [itemPlace(place)]
  return [...place.children.slice(0, place.prefix), ...others]
    .flatMap(item => (item === null || depth === 0 ? anything : [...shownInJson(item, depth - 1)]))
    .filter(each => each === 'member' || each === 'quote' || each === 'no list')
}
