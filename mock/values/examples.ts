import {
  asNode,
  bodyLocation,
  type Contract,
  type Direction,
  isJsonMedia,
  type Json,
  mediaType,
  namedExamples,
  type Pointer,
  type SchemaPlace,
  schemaExamples,
  valueAt,
  violationMessage,
  whereText,
} from '../../spec/index.ts'
import { perObject } from '../per-object.ts'
import { type ExamplePlace, examplePlaces } from './example-places.ts'

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
