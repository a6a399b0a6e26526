import { isJsonMedia } from '../http/exchange.ts'
import { steps } from '../json/pointer.ts'
import { listPlaces, type SchemaPlace } from '../schema/locations.ts'
import { isOnly, typesIn } from '../schema/variants.ts'
import { xmlName } from '../schema/xml-names.ts'
import type { BodyFormat } from './operation.ts'

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
