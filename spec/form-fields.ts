import { asNode, type Node } from './node.ts'
import type { Parameter } from './operation.ts'
import { placesOf, type SchemaPlace } from './places.ts'
import { type Pointer, step, steps, valueAt } from './pointer.ts'

export const isFormMedia = (type: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)

/**
 * The fields of a form, each written as a query parameter is (OpenAPI 3.1, Encoding Object): as `encoding` says, else
 * an object as JSON, a list as its name repeated. Null: its schema does not list them, or asks of one what no style
 * has a way to write, such as a list of objects.
 */
export const formFields = (document: Node, media: Pointer): readonly Parameter[] | null => {
  const root = placesOf(document, step(media, 'schema'))
  // What a field is would depend on others.
  if (root.properties.length === 0 || root.keywords.some(({ keyword }) => conditional.has(keyword)))
    return null
  const fields = root.children
    .filter(({ pattern }) => pattern !== '/*')
    .map(place => fieldAt(document, media, place))
  return fields.some(field => field === null) ? null : fields.filter(field => field !== null)
}

const conditional = new Set(['oneOf', 'anyOf', 'if', 'dependentSchemas', 'patternProperties'])

const fieldAt = (document: Node, media: Pointer, place: SchemaPlace): Parameter | null => {
  const [name = ''] = steps(place.pattern)
  const { style, explode, contentType } = asNode(valueAt(document, step(step(media, 'encoding'), name)))
  const styled = style !== undefined || explode !== undefined
  const types = place.types?.filter(type => type !== 'null').join()
  const isObject = types === 'object'
  const inJson = !styled && (contentType === undefined ? isObject : /json/.test(String(contentType)))
  const isFlat =
    isScalar(place) ||
    (place.children.every(isScalar) &&
      (styled ? isObject || (types === 'array' && style !== 'deepObject') : types === 'array'))
  if (inJson ? types === 'array' : !isFlat) return null
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
