import {
  asNode,
  type DocumentNode,
  follow,
  isObject,
  type Json,
  type Pointer,
  parseJson,
  placesOf,
  propertyPlace,
  type StreamKind,
  step,
  type Validate,
  writeJson,
} from '../../spec/index.ts'
import type { Examples } from '../values/examples.ts'
import { freshValue } from '../values/fresh-values.ts'
import type { GeneratedValues } from '../values/repaired.ts'
import { simpleSample } from '../values/simple-sample.ts'
import type { ValueProviders } from '../values/value-providers.ts'

export type ItemSchema = {
  readonly document: DocumentNode
  readonly schema: Pointer
  readonly validatorOf: (schema: Pointer) => Validate
  readonly examples: Examples
  readonly generated: GeneratedValues
  readonly makers: () => Promise<ValueProviders>
}

/**
 * A made-up item of a stream, which conforms; undefined: none was found. Alternatives of the schema take turns, so that clients see
 * each kind of event. Equal seeds give equal items.
 */
export const madeItem = async (
  source: ItemSchema,
  seed: string,
  index: number,
): Promise<Json | undefined> => {
  const { document, schema, generated } = source
  const validate = source.validatorOf(schema)
  const text = `${seed} ${index}`
  const options = alternativesOf(document, schema)
  const places = [...(options.length === 0 ? [] : [options[index % options.length] as Pointer]), schema]
  for (const at of places)
    for (const value of await valuesFor(source, at, text, index)) {
      const item = await withContent(source, at, value, text, index)
      if (validate(item).length === 0) return item
    }
  const other = await generated(schema, index)
  return other !== undefined && validate(other).length === 0 ? other : undefined
}

/** Values to try, the one that looks most real first. */
const valuesFor = async (
  { document, examples, makers: load }: ItemSchema,
  schema: Pointer,
  seed: string,
  turn: number,
): Promise<readonly Json[]> => {
  const makers = await load()
  const sample = simpleSample(document, schema, seed, each => examples.ofSchema(each)) as Json
  return [
    freshValue(sample, placesOf(document, schema), seed, { makers, examplesOf: examples.at, turn }),
    sample,
  ]
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
const withContent = async (
  source: ItemSchema,
  schema: Pointer,
  value: Json,
  seed: string,
  index: number,
): Promise<Json> => {
  if (!isObject(value)) return value
  const data = propertyPlace(placesOf(source.document, schema), 'data')
  const content = data?.keywords.find(({ keyword }) => keyword === 'contentSchema')?.pointer
  if (content === undefined) return value
  const validate = source.validatorOf(content)
  const candidates = [
    ...(await valuesFor(source, content, seed, index)),
    await source.generated(content, index),
  ]
  const made = candidates.find(each => each !== undefined && validate(each).length === 0)
  return made === undefined ? value : { ...value, data: writeJson(made) }
}

/** A part of a stream: a text that stands as it is, or a value to be written. */
export type Part = { readonly text: string; readonly item: Json | undefined }

/**
 * The items of an example: those of a list, those of a text in the format of the stream, or the example itself. `item` is undefined
 * where the text of an event is no JSON.
 */
export const partsOfExample = (kind: StreamKind, example: Json): readonly Part[] => {
  const written = (item: Json): Part => ({ text: writeItem(kind, item), item })
  if (Array.isArray(example)) return (example as readonly Json[]).map(written)
  if (typeof example !== 'string') return [written(example)]
  if (kind === 'events')
    return isFramed(example)
      ? eventsIn(example).map(text => ({ text: `${text}\n\n`, item: undefined }))
      : [written(example)]
  const lines = example.split(/[\n\u001e]/).filter(line => line.trim() !== '')
  return lines.map(line => ({ text: kind === 'lines' ? `${line}\n` : `\u001e${line}\n`, item: jsonIn(line) }))
}

const isFramed = (text: string): boolean => /^(?:data|event|id|retry)?:/m.test(text)

const eventsIn = (text: string): readonly string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(event => event.replace(/^\n|\n$/g, ''))
    .filter(event => event !== '')

const jsonIn = (line: string): Json | undefined => {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}

/** An item as it stands in a stream. */
export const writeItem = (kind: StreamKind, item: Json): string => {
  switch (kind) {
    case 'lines':
      return `${writeJson(item)}\n`
    case 'sequence':
      return `\u001e${writeJson(item)}\n`
    case 'events':
      return writeEvent(item)
  }
}

const fields = ['event', 'id', 'retry', 'data']

/** An object with the fields of an event is one (OpenAPI 3.2, 4.14.4); any other value is the data of one, as JSON. */
const writeEvent = (item: Json): string => {
  const isEvent =
    isObject(item) &&
    Object.hasOwn(item, 'data') &&
    Object.keys(item).every(name => fields.includes(name) || name === 'comment')
  const values = isEvent ? item : { data: item }
  const lines = fields.flatMap(name =>
    Object.hasOwn(values, name)
      ? linesOf(textOf(values[name] as Json)).map(line => `${name}: ${line}\n`)
      : [],
  )
  return `${lines.join('')}\n`
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/)
