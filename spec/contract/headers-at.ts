import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import type { Parameter } from './operation.ts'

/** The headers declared at a place. OpenAPI: one with the name Content-Type is ignored, as something else describes it. */
export const headersAt = (document: DocumentNode, at: Pointer): readonly Parameter[] =>
  Object.keys(asNode(valueAt(document, at)))
    .filter(name => !/^content-type$/i.test(name))
    .map(name => headerAt(document, name, step(at, name)))

const headerAt = (document: DocumentNode, name: string, at: Pointer): Parameter => {
  const { node, pointer } = follow(document, at)
  const required = node.required === true
  const explode = node.explode === true
  return {
    name,
    in: 'header',
    required,
    style: 'simple',
    explode,
    allowEmpty: null,
    ...contentOf(document, pointer),
    pointer,
  }
}

/** What describes the value of a parameter or a header: a schema, or the one media type that it is written in. */
export const contentOf = (document: DocumentNode, at: Pointer): Pick<Parameter, 'content' | 'schema'> => {
  const content = Object.keys(asNode(asNode(valueAt(document, at)).content))[0] ?? null
  const schema = content === null ? step(at, 'schema') : step(step(step(at, 'content'), content), 'schema')
  return { content, schema: valueAt(document, schema) === undefined ? null : schema }
}
