import {
  asNode,
  bodyWhere,
  breachMessage,
  type Contract,
  isJsonMedia,
  type Json,
  mediaType,
  type Pointer,
  valueAt,
} from '../spec/index.ts'
import { type ExamplePlace, examplePlaces, namedExamples, schemaExamples } from './example-places.ts'

/** The examples of a contract that keep their own schemas. Each of the others is told of once. */
export type Examples = {
  /** The example of a schema to be taken first; undefined where it has none that is good. */
  readonly ofSchema: (schema: Pointer) => Json | undefined
  /** The names of all examples of a media type or header. */
  readonly names: (at: Pointer) => readonly string[]
  /** An example of a media type or header by its name; the first good one where `name` is null. */
  readonly named: (at: Pointer, type: string | null, name: string | null) => Json | undefined
  /** Looks at every example, a few milliseconds at a time, unless there are thousands. */
  readonly checkAll: (signal: AbortSignal) => Promise<void>
}

export const createExamples = (contract: Contract, warn: (message: string) => void): Examples => {
  const { document, schemas } = contract
  const judged = new Map<string, boolean>()
  const ofSchemas = new Map<Pointer, Json | undefined>()
  const told = new Set<string>()
  const isGood = ({ example, schema, media, asked }: ExamplePlace): boolean => {
    const key = `${example} ${schema}`
    const known = judged.get(key)
    if (known !== undefined) return known
    const problem = problemOf(example, schema, media)
    judged.set(key, problem === null)
    if (problem !== null) {
      const { file, line: at } = contract.place(`${example}${problem.at}`)
      const rest = asked ? '' : '; the mock answers without it'
      const line = `bad example at ${file}:${at}: ${problem.message}${rest}`
      if (!told.has(line)) warn(line)
      told.add(line)
    }
    return problem === null
  }
  const problemOf = (example: Pointer, schema: Pointer, media: string | null) => {
    const value = contract.exact(example)
    if (value === undefined) return null
    // What is no JSON may be given as the text that it is sent as.
    if (media !== null && !isJsonMedia(mediaType(media) ?? '') && typeof value === 'string') return null
    const violations = violationsOf(schema, value)
    const [first] = violations
    if (first === undefined) return null
    const messages = violations.map(violation =>
      breachMessage(bodyWhere(''), violation).replace(/^the body/, 'it'),
    )
    return { at: first.at, message: [...new Set(messages)].join('; ') }
  }
  // A schema that cannot be compiled is told of where it is used.
  const violationsOf = (schema: Pointer, value: Json) => {
    try {
      return schemas.validator(schema)(value)
    } catch {
      return []
    }
  }
  const exactOf = (place: ExamplePlace | undefined): Json | undefined =>
    place === undefined ? undefined : contract.exact(place.example)
  return {
    ofSchema: schema => {
      if (ofSchemas.has(schema)) return ofSchemas.get(schema)
      const places = schemaExamples(asNode(valueAt(document, schema)), schema).map(example => ({
        example,
        schema,
        media: null,
        asked: false,
      }))
      const value = exactOf(places.find(isGood))
      ofSchemas.set(schema, value)
      return value
    },
    names: at => namedExamples(document, at).map(({ name }) => name),
    named: (at, media, name) => {
      const places = namedExamples(document, at)
        .filter(own => name === null || own.name === name)
        .map(({ pointer }) => ({ example: pointer, schema: `${at}/schema`, media, asked: false }))
      return exactOf(places.find(isGood))
    },
    checkAll: async signal => {
      // Whoever waits for the mock does not wait for this.
      await pause()
      let began = performance.now()
      const rest = async (): Promise<void> => {
        if (performance.now() - began < sliceMs) return
        await pause()
        began = performance.now()
      }
      const places: ExamplePlace[] = []
      for (const place of examplePlaces(document)) {
        if (signal.aborted || places.push(place) > most) return
        await rest()
      }
      for (const place of places) {
        if (signal.aborted) return
        try {
          isGood(place)
        } catch (error) {
          warn(`the example at #${place.example} could not be looked at: ${(error as Error).message}`)
        }
        await rest()
      }
    },
  }
}

/** A schema takes ten milliseconds and half a megabyte to compile: of more examples each is looked at when it is first used. */
const most = 1000
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
/** Requests are answered between two slices. */
const sliceMs = 5
