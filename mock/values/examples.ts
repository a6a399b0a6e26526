import {
  asNode,
  bodyLocation,
  type Contract,
  type Direction,
  type DocumentNode,
  isJsonMedia,
  isNode,
  type Json,
  mediaType,
  namedExamples,
  type Pointer,
  type SchemaPlace,
  schemaExamples,
  step,
  valueAt,
  violationMessage,
  whereText,
} from '../../spec/index.ts'
import { perObject } from '../memo.ts'

/** The valid examples of a contract. Each invalid one is reported once. */
export type Examples = {
  /** The first valid example of a schema; undefined: there is none. */
  readonly ofSchema: (schema: Pointer) => Json | undefined
  /** All valid examples of the first schema of a place that has one. */
  readonly at: (place: SchemaPlace) => readonly Json[]
  /** The names of all examples of a media type or header. */
  readonly names: (at: Pointer) => readonly string[]
  /** The valid example of this name of a media type or header; `name` null: the first valid one. */
  readonly named: (at: Pointer, type: string | null, name: string | null) => Json | undefined
  /** Validates all examples, a few milliseconds at a time, unless there are thousands. */
  readonly checkAll: (signal: AbortSignal) => Promise<void>
}

export const createExamples = (contract: Contract, warn: (message: string) => void): Examples => {
  const { document, requests, responses } = contract
  const verdicts = new Map<string, boolean>()
  const bySchema = new Map<Pointer, readonly Json[]>()
  const warned = new Set<string>()
  const isValid = ({ example, schema, media, inRequest }: ExamplePlace): boolean => {
    const key = `${example} ${schema} ${inRequest}`
    const known = verdicts.get(key)
    if (known !== undefined) return known
    const problem = problemOf(example, schema, media, inRequest ? requests : responses)
    verdicts.set(key, problem === null)
    if (problem !== null) {
      const where = whereText(contract.place(`${example}${problem.at}`))
      const effect = inRequest ? '' : '; the mock does not use it'
      const message = `invalid example at ${where}: ${problem.message}${effect}`
      if (!warned.has(message)) warn(message)
      warned.add(message)
    }
    return problem === null
  }
  const problemOf = (example: Pointer, schema: Pointer, media: string | null, { schemas }: Direction) => {
    const value = contract.exact(example)
    if (value === undefined) return null
    // An example that is not JSON may stand as the text that is sent.
    if (media !== null && !isJsonMedia(mediaType(media) ?? '') && typeof value === 'string') return null
    const violations = violationsOf(schemas, schema, value)
    const [first] = violations
    if (first === undefined) return null
    const messages = violations.map(violation =>
      violationMessage(bodyLocation(''), violation).replace(/^the body/, 'it'),
    )
    return { at: first.at, message: [...new Set(messages)].join('; ') }
  }
  // A schema that cannot be compiled is reported where it is used.
  const violationsOf = (schemas: Direction['schemas'], schema: Pointer, value: Json) => {
    try {
      return schemas.validator(schema)(value)
    } catch {
      return []
    }
  }
  const exactOf = (place: ExamplePlace | undefined): Json | undefined =>
    place === undefined ? undefined : contract.exact(place.example)
  const allOfSchema = (schema: Pointer): readonly Json[] => {
    const known = bySchema.get(schema)
    if (known !== undefined) return known
    const places = schemaExamples(asNode(valueAt(document, schema)), schema).map(example => ({
      example,
      schema,
      media: null,
      inRequest: false,
    }))
    const values = places
      .filter(isValid)
      .map(exactOf)
      .filter(value => value !== undefined)
    bySchema.set(schema, values)
    return values
  }
  return {
    ofSchema: schema => allOfSchema(schema)[0],
    // Lists have hundreds of values of the same few places.
    at: perObject(({ schemas }) => schemas.map(allOfSchema).find(found => found.length > 0) ?? []),
    names: at => namedExamples(document, at).map(({ name }) => name),
    named: (at, media, name) => {
      const places = namedExamples(document, at)
        .filter(example => name === null || example.name === name)
        .map(({ pointer }) => ({ example: pointer, schema: `${at}/schema`, media, inRequest: false }))
      return exactOf(places.find(isValid))
    },
    checkAll: async signal => {
      // The mock is ready before this begins.
      await pause()
      let began = performance.now()
      const rest = async (): Promise<void> => {
        if (performance.now() - began < sliceMs) return
        await pause()
        began = performance.now()
      }
      const places: ExamplePlace[] = []
      for (const place of examplePlaces(document)) {
        if (signal.aborted || places.push(place) > maxExamples) return
        await rest()
      }
      for (const place of places) {
        if (signal.aborted) return
        try {
          isValid(place)
        } catch (error) {
          warn(`the example at #${place.example} could not be validated: ${(error as Error).message}`)
        }
        await rest()
      }
    },
  }
}

/** A schema takes ten milliseconds and half a megabyte to compile: of more examples, each is validated when first used. */
const maxExamples = 1000
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
/** The mock responds to requests between two slices. */
const sliceMs = 5

/** An example of the document, and its schema. */
type ExamplePlace = {
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
