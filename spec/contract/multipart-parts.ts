import { isJsonMedia, mediaType } from '../http/exchange.ts'
import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { isArray, isNumber, numberText } from '../json/json.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { itemPlace, placesOf, type SchemaPlace } from '../schema/locations.ts'
import { plainValue } from '../schema/simplest-value.ts'
import { isOnly, typesAt, typesIn, variantsOf } from '../schema/variants.ts'
import { headersAt } from './headers-at.ts'
import type { BodyPart, Parameter } from './operation.ts'
import { formatOfType } from './value-format.ts'

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
