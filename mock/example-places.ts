import { asNode, follow, type Node, type Pointer, step, valueAt } from '../spec/index.ts'

/** An example of the document, and the schema that it is an example of. */
export type ExamplePlace = {
  readonly example: Pointer
  readonly schema: Pointer
  /** The media type that it is an example of; null where it is one of a schema, a header or a parameter. */
  readonly media: string | null
  /** Whether only requests have it, so that no answer is made from it. */
  readonly asked: boolean
}

/** Fields whose children are named things: a name says nothing of what it names. */
const maps = new Set(
  'paths webhooks pathItems responses parameters requestBodies headers callbacks content encoding links securitySchemes'.split(
    ' ',
  ),
)
const namedSchemas = ['properties', 'patternProperties', '$defs', 'dependentSchemas']
const listedSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const singleSchemas = ['items', 'additionalProperties', 'contains', 'if', 'then', 'else', 'unevaluatedItems']

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every example of the document, in its order; those beside a schema before those in it. */
export function* examplePlaces(document: Node): Generator<ExamplePlace> {
  yield* inObject(document, document, '', { media: null, asked: false })
}

type Side = { readonly media: string | null; readonly asked: boolean }

function* inObject(document: Node, node: unknown, at: Pointer, side: Side): Generator<ExamplePlace> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* inObject(document, item, step(at, index), side)
    return
  }
  if (!isNode(node)) return
  if ('schema' in node) {
    const schema = step(at, 'schema')
    for (const { pointer } of namedExamples(document, at)) yield { example: pointer, schema, ...side }
    yield* inSchema(node.schema, schema, side.asked)
  }
  for (const [key, child] of Object.entries(node)) {
    const here = step(at, key)
    if (key === 'schema' || key === 'example' || key === 'examples' || key.startsWith('x-')) continue
    const asked = side.asked || key === 'requestBody' || key === 'requestBodies' || key === 'parameters'
    if (key === 'schemas') {
      for (const [name, schema] of Object.entries(asNode(child)))
        yield* inSchema(schema, step(here, name), false)
    } else if (maps.has(key) && isNode(child)) {
      for (const [name, item] of Object.entries(child))
        yield* inObject(document, item, step(here, name), { media: key === 'content' ? name : null, asked })
    } else yield* inObject(document, child, here, { ...side, asked })
  }
}

function* inSchema(schema: unknown, at: Pointer, asked: boolean): Generator<ExamplePlace> {
  if (!isNode(schema)) return
  for (const example of schemaExamples(schema, at)) yield { example, schema: at, media: null, asked }
  for (const key of namedSchemas)
    for (const [name, child] of Object.entries(asNode(schema[key])))
      yield* inSchema(child, step(step(at, key), name), asked)
  for (const key of listedSchemas)
    for (const [index, child] of (Array.isArray(schema[key]) ? schema[key] : []).entries())
      yield* inSchema(child, step(step(at, key), index), asked)
  for (const key of singleSchemas) yield* inSchema(schema[key], step(at, key), asked)
}

/** The examples in a schema, the first the one to be taken first. */
export const schemaExamples = (schema: Node, at: Pointer): readonly Pointer[] => [
  ...(Object.hasOwn(schema, 'example') ? [step(at, 'example')] : []),
  ...(Array.isArray(schema.examples)
    ? [...schema.examples.keys()].map(index => step(step(at, 'examples'), index))
    : []),
]

/** The examples of a media type, a header or a parameter; a single one is called `default`, as Prism calls it. */
export const namedExamples = (
  document: Node,
  at: Pointer,
): readonly { readonly name: string; readonly pointer: Pointer }[] => {
  const node = asNode(valueAt(document, at))
  const single = step(at, 'example')
  const named = Object.keys(asNode(node.examples)).flatMap(name => {
    const found = follow(document, step(step(at, 'examples'), name))
    return Object.hasOwn(found.node, 'value') ? [{ name, pointer: step(found.pointer, 'value') }] : []
  })
  return Object.hasOwn(node, 'example') ? [{ name: 'default', pointer: single }, ...named] : named
}
