import {
  asNode,
  type DocumentNode,
  follow,
  type Json,
  type Pointer,
  placesOf,
  type SchemaPlace,
  step,
  type Validate,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import type { Examples } from '../values/examples.ts'
import { loadFake } from '../values/fake.ts'
import { freshValue } from '../values/fresh-values.ts'
import type { GeneratedValues } from '../values/generated-values.ts'
import { simpleSample } from '../values/simple-sample.ts'

export type ItemSchema = {
  readonly document: DocumentNode
  readonly schema: Pointer
  readonly validate: Validate
  readonly examples: Examples
  readonly generated: GeneratedValues
}

/**
 * A made-up item of a stream, which conforms; undefined: none was found. Alternatives of the schema take turns, so that clients see
 * each kind of event. Equal seeds give equal items.
 */
export const madeItem = async (
  { document, schema, validate, examples, generated }: ItemSchema,
  seed: string,
  index: number,
): Promise<Json | undefined> => {
  const text = `${seed} ${index}`
  const options = alternativesOf(document, schema)
  const places = [...(options.length === 0 ? [] : [options[index % options.length] as Pointer]), schema]
  const fake = await loadFake()
  const examplesOf = ({ schemas }: SchemaPlace): readonly Json[] =>
    schemas.map(each => examples.allOfSchema(each)).find(values => values.length > 0) ?? []
  for (const at of places) {
    const root = placesOf(document, at)
    const sample = simpleSample(document, at, text, each => examples.ofSchema(each)) as Json
    const fresh = freshValue(sample, root, text, { fake, examplesOf, turn: index })
    for (const value of [fresh, sample]) {
      const item = withContent(document, root, value, text)
      if (validate(item).length === 0) return item
    }
  }
  const other = await generated(schema, index)
  return other !== undefined && validate(other).length === 0 ? other : undefined
}

const alternativesOf = (document: DocumentNode, schema: Pointer): readonly Pointer[] => {
  const { node, pointer } = follow(document, schema)
  for (const keyword of ['oneOf', 'anyOf']) {
    const list = asNode(node)[keyword]
    if (Array.isArray(list)) return list.map((_, index) => step(step(pointer, keyword), String(index)))
  }
  return []
}

/** The data of an event is a text; `contentSchema` says which JSON stands in it. */
const withContent = (document: DocumentNode, root: SchemaPlace, value: Json, seed: string): Json => {
  const data = root.children.find(({ pattern }) => pattern === '/data')
  const content = data?.keywords.find(({ keyword }) => keyword === 'contentSchema')?.pointer
  const schema = content === undefined ? undefined : valueAt(document, content)
  if (content === undefined || schema === undefined || typeof value !== 'object' || value === null)
    return value
  const made = simpleSample(document, content, seed, () => undefined) as Json
  return { ...value, data: writeJson(made) } as Json
}
