import { isJsonMedia, mediaType } from '../http/exchange.ts'
import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { isArray, isNumber, numberText } from '../json/json.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { placesOf, type SchemaPlace } from '../schema/locations.ts'
import { plainValue } from '../schema/simplest-value.ts'
import { headersAt } from './headers-at.ts'
import type { BodyPart, Parameter } from './operation.ts'
import { formatOfType } from './value-format.ts'

/** The parts of a `multipart/form-data` body (OpenAPI 3.1, Encoding Object), or why they cannot be told. */
export const multipartParts = (document: DocumentNode, media: Pointer): readonly BodyPart[] | string => {
  const root = placesOf(document, step(media, 'schema'))
  if (root.keywords.some(({ keyword }) => conditional.has(keyword)))
    return 'the schema of a part depends on other parts'
  const parts = new Map<string, BodyPart>()
  for (const place of [root, ...alternativesOf(document, root)].flatMap(({ children }) => children)) {
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

const conditional = new Set(['if', 'dependentSchemas', 'patternProperties'])

/** The alternatives of a schema, and theirs: all may have parts of their own. */
const alternativesOf = (document: DocumentNode, root: SchemaPlace, levels = 3): readonly SchemaPlace[] =>
  levels === 0
    ? []
    : root.keywords
        .filter(({ keyword, value }) => /^(?:oneOf|anyOf)$/.test(keyword) && Array.isArray(value))
        .flatMap(({ value, pointer }) =>
          [...(value as readonly unknown[]).keys()].flatMap(index => {
            const place = placesOf(document, step(pointer, index))
            return [place, ...alternativesOf(document, place, levels - 1)]
          }),
        )

const partAt = (document: DocumentNode, media: Pointer, place: SchemaPlace): BodyPart | string => {
  const [name = ''] = steps(place.pattern)
  const encoding = step(step(media, 'encoding'), name)
  const { contentType, style, explode } = asNode(valueAt(document, encoding))
  const types =
    typeof contentType === 'string'
      ? contentType.split(',').flatMap(type => (type.trim() === '' ? [] : [type.trim()]))
      : []
  const items = place.children.find(({ pattern }) => pattern.endsWith('/*'))
  const isList = isOnly(place, 'array')
  const value = isList ? items : place
  // OpenAPI 3.0 ignores both.
  const isStyled =
    !String(document.openapi).startsWith('3.0') && (style !== undefined || explode !== undefined)
  if (isStyled && (isOnly(place, 'object') || (isList && explode === false)))
    return `the part ${name} is written in a style of parameters`
  if (value === undefined) return `the part ${name} is a list of anything`
  const usual = usualType(value)
  const declared = types.map(type => concreteType(type, usual))
  const format = formatOfType(mediaType(declared[0] ?? usual) ?? '', value)
  if (format.kind === 'opaque') return `the part ${name} is ${declared[0] ?? usual}: ${format.reason}`
  const headers = headersAt(document, step(encoding, 'headers'))
  return {
    name,
    isList,
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

const isOnly = ({ types }: SchemaPlace, type: string): boolean =>
  types?.filter(each => each !== 'null').join() === type

/** What a part is without a declared type (OpenAPI 3.1.1, 4.8.15.1.1). */
const usualType = (value: SchemaPlace): string => {
  const said = (keyword: string): unknown => value.keywords.find(use => use.keyword === keyword)?.value
  const { readAs, properties } = value
  if (properties.length > 0 || readAs?.some(type => type === 'object' || type === 'array'))
    return 'application/json'
  const media = said('contentMediaType')
  if (typeof media === 'string' && !isJsonMedia(media)) return media
  const format = said('format')
  const isBytes =
    readAs === null || format === 'binary' || format === 'byte' || said('contentEncoding') !== undefined
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
