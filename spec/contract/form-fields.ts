import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import { placesOf, propertyPlace, type SchemaPlace } from '../schema/locations.ts'
import { isOnly, typesIn, variantsOf } from '../schema/variants.ts'
import type { BodyFormat, Parameter } from './operation.ts'

export const isFormMedia = (type: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)

/**
 * The fields of a form, each as a query parameter (OpenAPI 3.1, Encoding Object): in the style of `encoding`, or else an object as JSON and
 * a list as a repeated name. Null if the schema describes no object, so that nothing is a field.
 */
export const formOf = (
  document: DocumentNode,
  media: Pointer,
): Extract<BodyFormat, { kind: 'form' }> | null => {
  const root = placesOf(document, step(media, 'schema'))
  const all = variantsOf(root)
  const names = new Set(all.flatMap(({ properties }) => properties))
  if (typesIn(root)?.includes('object') !== true) return null
  const fields = [...names].map(name => {
    const places = all.flatMap(variant => propertyPlace(variant, name) ?? [])
    const found = places.map(place => fieldAt(document, media, name, place))
    const [first] = found
    // Whatever alternative a field belongs to, it is written in one way.
    const isOne = found.every(field => field?.content === first?.content)
    return { name, field: isOne ? (first ?? null) : null }
  })
  return {
    kind: 'form',
    root,
    fields: fields.flatMap(({ field }) => field ?? []),
    unread: fields.flatMap(({ name, field }) => (field === null ? [name] : [])),
  }
}

/** Null if no style can write the field, such as a list of lists. */
const fieldAt = (
  document: DocumentNode,
  media: Pointer,
  name: string,
  place: SchemaPlace,
): Parameter | null => {
  const encoding = asNode(valueAt(document, step(step(media, 'encoding'), name)))
  const { style, explode, contentType, 'x-allowEmptyValue': allowEmpty } = encoding
  const styled = style !== undefined || explode !== undefined
  const lists = variantsOf(place).filter(variant => isOnly(variant, 'array'))
  const isList = lists.length > 0
  const isObject = variantsOf(place).some(variant => isOnly(variant, 'object'))
  // Each item of a list is written as its own type is (OpenAPI 3.1.1, 4.8.15.1.1).
  const isListOfObjects = lists.some(({ children }) => children.some(child => isOnly(child, 'object')))
  const inJson =
    !styled && (contentType === undefined ? isObject || isListOfObjects : /json/.test(String(contentType)))
  const isFlat =
    style === 'deepObject' ||
    ((styled || !isObject) &&
      variantsOf(place).every(variant => isScalar(variant) || variant.children.every(isScalar)))
  // Each item would be JSON, or the whole list; and a text beside an object no JSON.
  const isMixed = isObject && (isList || typesIn(place)?.includes('string') !== false)
  if (inJson ? (isList && contentType !== undefined) || (isMixed && contentType === undefined) : !isFlat)
    return null
  return {
    name,
    in: 'query',
    required: false,
    style: typeof style === 'string' ? style : 'form',
    explode: typeof explode === 'boolean' ? explode : style === undefined || style === 'form',
    content: inJson ? 'application/json' : null,
    allowEmpty: typeof allowEmpty === 'boolean' ? allowEmpty : null,
    schema: place.schemas[0] ?? null,
    pointer: place.schemas[0] ?? media,
  }
}

const isScalar = (place: SchemaPlace): boolean =>
  typesIn(place)?.some(type => type === 'object' || type === 'array') !== true
