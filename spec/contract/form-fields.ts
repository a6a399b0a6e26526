import { isJsonMedia, mediaType } from '../http/exchange.ts'
import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { placesOf, propertyPlace, type SchemaPlace } from '../schema/locations.ts'
import { isOnly, typesIn, variantsOf } from '../schema/variants.ts'
import { formatOfType, multipartParts, opaque } from './multipart-parts.ts'
import type { BodyFormat, Parameter } from './operation.ts'

const isFormMedia = (type: string): boolean => /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)

/**
 * The fields of a form, each as a query parameter (OpenAPI 3.1, Encoding Object): in the style of `encoding`, or else an object as JSON and
 * a list as a repeated name. Null if the schema describes no object, so that nothing is a field.
 */
const formOf = (document: DocumentNode, media: Pointer): Extract<BodyFormat, { kind: 'form' }> | null => {
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

/**
 * How the bodies of a media type are read and written, by the document as it holds for them. `byDefaults`: XML of which the document does
 * not say how it is written, is written by the defaults of OpenAPI. Servers seldom keep to these, so that nobody is judged by them.
 */
export const formatOf = (
  document: DocumentNode,
  media: Pointer,
  contentType: string,
  byDefaults = false,
): BodyFormat => {
  const type = mediaType(contentType) ?? ''
  if (isJsonMedia(type)) return { kind: 'json' }
  if (type.includes('*')) return opaque('a range names no media type')
  const schema = step(media, 'schema')
  if (valueAt(document, schema) === undefined) return opaque('it has no schema')
  if (isFormMedia(type)) {
    return formOf(document, media) ?? opaque('its schema describes no object')
  }
  if (type === 'multipart/form-data') {
    const parts = multipartParts(document, media)
    return typeof parts === 'string'
      ? opaque(parts)
      : { kind: 'multipart', root: placesOf(document, schema), parts }
  }
  return formatOfType(type, placesOf(document, schema), byDefaults)
}

/** The media type in a range that bodies of its schema are sent as; null: there is none that any recipient knows. */
export const typeInRange = (document: DocumentNode, media: Pointer, range: string): string | null => {
  const root = placesOf(document, step(media, 'schema'))
  const isBytes = root.keywords.some(({ keyword, value }) => keyword === 'format' && value === 'binary')
  const type = mediaType(range) ?? ''
  if (type === '*/*' || type === 'application/*')
    return isBytes ? 'application/octet-stream' : 'application/json'
  return usualIn[type] ?? null
}

const usualIn: Readonly<Record<string, string>> = { 'text/*': 'text/plain', 'image/*': 'image/png' }

/** How a place of a body is written: as JSON with its types, as bytes, or as text, in which all values are alike. */
export const writtenAs = (format: BodyFormat, pattern: Pointer): 'json' | 'text' | 'binary' => {
  if (format.kind === 'json') return 'json'
  if (format.kind === 'binary') return 'binary'
  if (format.kind !== 'multipart') return 'text'
  const [name] = steps(pattern)
  const kind = format.parts.find(part => part.name === name)?.format.kind
  return name === undefined ? 'text' : kind === 'json' || kind === 'binary' ? kind : 'text'
}

/** Whether no bytes at all are a body: a form without fields, an empty text or file. */
export const mayBeEmpty = ({ kind }: BodyFormat): boolean =>
  kind === 'form' || kind === 'text' || kind === 'binary'
