import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { placesOf, type SchemaPlace } from '../schema/locations.ts'
import type { Parameter } from './operation.ts'

export const isFormMedia = (type: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)

/**
 * The fields of a form, each as a query parameter (OpenAPI 3.1, Encoding Object): in the style of `encoding`, or else an
 * object as JSON and a list as a repeated name. Null if the schema does not list its properties, or if no style can
 * serialize one of them, such as a list of lists.
 */
export const formFields = (document: DocumentNode, media: Pointer): readonly Parameter[] | null => {
  const root = placesOf(document, step(media, 'schema'))
  // The schema of a field would depend on other fields.
  if (root.properties.length === 0 || root.keywords.some(({ keyword }) => conditional.has(keyword)))
    return null
  const fields = root.children
    .filter(({ pattern }) => pattern !== '/*')
    .map(place => fieldAt(document, media, place))
  return fields.some(field => field === null) ? null : fields.filter(field => field !== null)
}

const conditional = new Set(['oneOf', 'anyOf', 'if', 'dependentSchemas', 'patternProperties'])

const fieldAt = (document: DocumentNode, media: Pointer, place: SchemaPlace): Parameter | null => {
  const [name = ''] = steps(place.pattern)
  const { style, explode, contentType } = asNode(valueAt(document, step(step(media, 'encoding'), name)))
  const styled = style !== undefined || explode !== undefined
  const types = place.types?.filter(type => type !== 'null').join()
  const isObject = types === 'object'
  // Each item of a list is written as its own type is (OpenAPI 3.1.1, 4.8.15.1.1).
  const items = types === 'array' ? place.children.find(({ pattern }) => pattern.endsWith('/*')) : undefined
  const isListOfObjects = items?.types?.filter(type => type !== 'null').join() === 'object'
  const inJson =
    !styled && (contentType === undefined ? isObject || isListOfObjects : /json/.test(String(contentType)))
  const isFlat =
    isScalar(place) ||
    (style === 'deepObject'
      ? isObject || types === 'array'
      : place.children.every(isScalar) && (styled ? isObject || types === 'array' : types === 'array'))
  if (inJson ? types === 'array' && contentType !== undefined : !isFlat) return null
  return {
    name,
    in: 'query',
    required: false,
    style: typeof style === 'string' ? style : 'form',
    explode: typeof explode === 'boolean' ? explode : style === undefined || style === 'form',
    content: inJson ? 'application/json' : null,
    schema: place.schemas[0] ?? null,
    pointer: place.schemas[0] ?? media,
  }
}

const isScalar = ({ readAs }: SchemaPlace): boolean =>
  readAs?.some(type => type === 'object' || type === 'array') !== true
