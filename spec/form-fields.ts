import { asNode, type Node } from './node.ts'
import type { Parameter } from './operation.ts'
import { placesOf } from './places.ts'
import { type Pointer, step, steps, valueAt } from './pointer.ts'

export const isFormMedia = (type: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)

/**
 * The fields of a form, each written as a query parameter is (OpenAPI 3.1, Encoding Object): as `encoding` says, else
 * an object as JSON, a list as its name repeated.
 */
export const formFields = (document: Node, media: Pointer): readonly Parameter[] =>
  placesOf(document, step(media, 'schema')).children.flatMap(({ pattern, schemas, types }) => {
    const [name = '*'] = steps(pattern)
    if (name === '*') return []
    const { style, explode, contentType } = asNode(valueAt(document, step(step(media, 'encoding'), name)))
    const styled = style !== undefined || explode !== undefined
    const inJson = !styled && (types?.includes('object') || /json/.test(String(contentType)))
    return [
      {
        name,
        in: 'query',
        required: false,
        style: typeof style === 'string' ? style : 'form',
        explode: typeof explode === 'boolean' ? explode : style === undefined || style === 'form',
        content: inJson ? 'application/json' : null,
        schema: schemas[0] ?? null,
        pointer: schemas[0] ?? media,
      },
    ]
  })
