import {
  asNode,
  type DocumentNode,
  isNode,
  namedExamples,
  type Pointer,
  schemaExamples,
  step,
} from '../../spec/index.ts'

/** An example of the document, and its schema. */
export type ExamplePlace = {
  readonly example: Pointer
  readonly schema: Pointer
  /** Its media type; null: it is an example of a schema, a header or a parameter. */
  readonly media: string | null
  /** Whether it is in no response, so that the mock never sends it. */
  readonly inRequest: boolean
}

/** Fields that map names to resources: their keys are names, and no fields themselves. */
const maps = new Set(
  'paths webhooks pathItems responses parameters requestBodies headers callbacks content encoding links securitySchemes'.split(
    ' ',
  ),
)
const namedSchemas = ['properties', 'patternProperties', '$defs', 'dependentSchemas']
const listedSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const singleSchemas = ['items', 'additionalProperties', 'contains', 'if', 'then', 'else', 'unevaluatedItems']

/** All examples, in the order of the document; those beside a schema before those inside it. */
export function* examplePlaces(document: DocumentNode): Generator<ExamplePlace> {
  yield* inObject(document, document, '', { media: null, inRequest: false })
}

type Holder = { readonly media: string | null; readonly inRequest: boolean }

function* inObject(
  document: DocumentNode,
  node: unknown,
  at: Pointer,
  holder: Holder,
): Generator<ExamplePlace> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* inObject(document, item, step(at, index), holder)
    return
  }
  if (!isNode(node)) return
  if ('schema' in node) {
    const schema = step(at, 'schema')
    for (const { pointer } of namedExamples(document, at)) yield { example: pointer, schema, ...holder }
    yield* inSchema(node.schema, schema, holder.inRequest)
  }
  for (const [key, child] of Object.entries(node)) {
    const here = step(at, key)
    if (key === 'schema' || key === 'example' || key === 'examples' || key.startsWith('x-')) continue
    const inRequest =
      holder.inRequest || key === 'requestBody' || key === 'requestBodies' || key === 'parameters'
    if (key === 'schemas') {
      for (const [name, schema] of Object.entries(asNode(child)))
        yield* inSchema(schema, step(here, name), false)
    } else if (maps.has(key) && isNode(child)) {
      for (const [name, item] of Object.entries(child))
        yield* inObject(document, item, step(here, name), {
          media: key === 'content' ? name : null,
          inRequest,
        })
    } else yield* inObject(document, child, here, { ...holder, inRequest })
  }
}

function* inSchema(schema: unknown, at: Pointer, inRequest: boolean): Generator<ExamplePlace> {
  if (!isNode(schema)) return
  for (const example of schemaExamples(schema, at)) yield { example, schema: at, media: null, inRequest }
  for (const key of namedSchemas)
    for (const [name, child] of Object.entries(asNode(schema[key])))
      yield* inSchema(child, step(step(at, key), name), inRequest)
  for (const key of listedSchemas)
    for (const [index, child] of (Array.isArray(schema[key]) ? schema[key] : []).entries())
      yield* inSchema(child, step(step(at, key), index), inRequest)
  for (const key of singleSchemas) yield* inSchema(schema[key], step(at, key), inRequest)
}
