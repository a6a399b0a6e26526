import { isJsonMedia, mediaType } from '../http/exchange.ts'
import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { isArray, isNumber, numberText } from '../json/json.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { itemPlace, listPlaces, placesOf, type SchemaPlace } from '../schema/locations.ts'
import { plainValue } from '../schema/simplest-value.ts'
import { isOnly, typesAt, typesIn, variantsOf } from '../schema/variants.ts'
import { xmlName } from '../schema/xml-names.ts'
import { type BodyFormat, type BodyPart, headersAt, type Parameter } from './operation.ts'

/** The parts of a `multipart/form-data` body (OpenAPI 3.1, Encoding Object), or why they cannot be told. */
export const multipartParts = (document: DocumentNode, media: Pointer): readonly BodyPart[] | string => {
  const root = placesOf(document, step(media, 'schema'))
  if (root.keywords.some(({ keyword }) => keyword === 'patternProperties'))
    return 'the schema of a part depends on its name'
  const parts = new Map<string, BodyPart>()
  for (const place of variantsOf(root).flatMap(({ children }) => children)) {
    if (place.pattern === '/*') continue
    const part = partAt(document, media, place)
    if (typeof part === 'string') return part
    const other = parts.get(part.name)
    if (other === undefined) parts.set(part.name, part)
    else if (other.format.kind !== part.format.kind || other.isList !== part.isList)
      return `the part ${part.name} is written in two ways`
  }
  return parts.size === 0 ? 'its schema names no parts' : [...parts.values()]
}

const partAt = (document: DocumentNode, media: Pointer, place: SchemaPlace): BodyPart | string => {
  const [name = ''] = steps(place.pattern)
  const encoding = step(step(media, 'encoding'), name)
  const { contentType, style, explode, 'x-allowEmptyValue': allowEmpty } = asNode(valueAt(document, encoding))
  const types =
    typeof contentType === 'string'
      ? contentType.split(',').flatMap(type => (type.trim() === '' ? [] : [type.trim()]))
      : []
  const present = variantsOf(place).filter(variant => typesAt(variant)?.join() !== 'null')
  const lists = present.filter(variant => isOnly(variant, 'array'))
  const isList = lists.length > 0
  // A single one of a list and a value that is no list look alike: both are parts of one kind.
  const value = isList ? lists.flatMap(list => itemPlace(list) ?? [])[0] : (present[0] ?? place)
  const others = present.filter(variant => !lists.includes(variant))
  // OpenAPI 3.0 ignores both.
  const isStyled =
    !String(document.openapi).startsWith('3.0') && (style !== undefined || explode !== undefined)
  if (isStyled && (isOnly(place, 'object') || (isList && explode === false)))
    return `the part ${name} is written in a style of parameters`
  if (value === undefined) return `the part ${name} is a list of anything`
  const usual = usualType(isList || others.length < 2 ? value : place)
  const declared = types.map(type => concreteType(type, usual))
  const format = formatOfType(mediaType(declared[0] ?? usual) ?? '', isList ? value : place)
  if (format.kind === 'opaque') return `the part ${name} is ${declared[0] ?? usual}: ${format.reason}`
  const headers = headersAt(document, step(encoding, 'headers'))
  return {
    name,
    isList,
    allowEmpty: typeof allowEmpty === 'boolean' ? allowEmpty : null,
    format,
    types,
    // As browsers write it: a text has none unless the document asks for one.
    contentType: declared[0] ?? (usual === 'text/plain' ? null : usual),
    headers,
    sent: headers.flatMap(header =>
      header.required ? [[header.name, sampleOf(document, header)] as const] : [],
    ),
    pointer: types.length === 0 ? (place.schemas[0] ?? media) : step(encoding, 'contentType'),
  }
}

const sampleOf = (document: DocumentNode, { schema }: Parameter): string => {
  const value = schema === null ? 'a' : plainValue(placesOf(document, schema))
  return isArray(value) ? value.join() : isNumber(value) ? numberText(value) : String(value)
}

/** What a part is without a declared type (OpenAPI 3.1.1, 4.8.15.1.1). */
const usualType = (value: SchemaPlace): string => {
  const said = (keyword: string): unknown => value.keywords.find(use => use.keyword === keyword)?.value
  const types = typesIn(value)
  if (types?.some(type => type === 'object' || type === 'array')) return 'application/json'
  const media = said('contentMediaType')
  if (typeof media === 'string' && !isJsonMedia(media)) return media
  const format = said('format')
  const isBytes =
    types === null || format === 'binary' || format === 'byte' || said('contentEncoding') !== undefined
  return isBytes ? 'application/octet-stream' : 'text/plain'
}

/** A media type in a range; the usual one of the part if that is in it. */
const concreteType = (range: string, usual: string): string => {
  const type = mediaType(range) ?? ''
  if (!type.includes('*')) return range
  if (type === '*/*' || usual.startsWith(type.slice(0, -1))) return usual
  return inRange[type] ?? `${type.slice(0, -1)}octet-stream`
}

const inRange: Readonly<Record<string, string>> = {
  'image/*': 'image/png',
  'text/*': 'text/plain',
  'audio/*': 'audio/wav',
  'video/*': 'video/mp4',
}

/** How a value of a media type is written, which is a whole body or a part of one. */
export const formatOfType = (type: string, root: SchemaPlace, byDefaults = false): BodyFormat => {
  if (isJsonMedia(type)) return { kind: 'json' }
  if (type.startsWith('multipart/')) return opaque('only multipart/form-data has named parts')
  if (isXmlMedia(type)) return isString(root) ? { kind: 'binary', root } : xmlFormat(root, byDefaults)
  if (type.startsWith('text/'))
    return isScalar(root) ? { kind: 'text', root } : opaque('its schema does not describe text')
  return typesIn(root) === null || isString(root)
    ? { kind: 'binary', root }
    : opaque('its schema describes no bytes')
}

export const opaque = (reason: string): BodyFormat => ({ kind: 'opaque', reason })

const isXmlMedia = (type: string): boolean => /^(?:application|text)\/(?:[\w.+-]+\+)?xml$/.test(type)

const isString = (root: SchemaPlace): boolean => isOnly(root, 'string')

const isScalar = (root: SchemaPlace): boolean =>
  typesIn(root)?.some(type => type === 'object' || type === 'array') !== true

/** Without any `xml` in its schema, a document leaves open how its values are written. */
const xmlFormat = (root: SchemaPlace, byDefaults: boolean): BodyFormat => {
  const places = listPlaces(root)
  if (!byDefaults && !places.some(({ keywords }) => keywords.some(({ keyword }) => keyword === 'xml')))
    return opaque('no `xml` in its schema says how it is written')
  if (places.some(({ keywords }) => keywords.some(({ keyword }) => alternatives.has(keyword))))
    return opaque('XML with alternatives (oneOf, anyOf, if) is not read')
  return { kind: 'xml', root, element: xmlName(root)?.name ?? componentName(root) }
}

const alternatives = new Set(['oneOf', 'anyOf', 'if', 'dependentSchemas', 'patternProperties'])

/** The root element of a schema is named after its component (OpenAPI 3.1, XML Object). */
const componentName = ({ schemas }: SchemaPlace): string | null => {
  for (const schema of schemas) {
    const [first, second, name, ...more] = steps(schema)
    if (first === 'components' && second === 'schemas' && more.length === 0) return name ?? null
  }
  return null
}
