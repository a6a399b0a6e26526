import {
  type Headers,
  isObject,
  type Json,
  type Pointer,
  type SchemaPlace,
  type StreamKind,
  step,
  steps,
  streamKindOf,
  type Validate,
  valueAt,
  whereText,
} from '../../spec/index.ts'
import { madeItem, type Part, partsOfExample, writeItem } from '../streams/made-items.ts'
import { type Pace, paced } from '../streams/pace.ts'
import { inDocumentOrder } from '../values/repaired.ts'
import { bytesOf, type CompiledResponse, type MockResponse } from './compiled-response.ts'
import type { Engine } from './engine.ts'

/** What a stream has if nothing says how many items. */
const usualItems = 3

export type StreamSpec = {
  readonly status: number
  readonly headers: Headers
  readonly seed: string
  readonly example: Json | undefined
}

export const isStream = ({ media }: CompiledResponse): boolean =>
  media !== null && streamKindOf(media.type) !== null

/**
 * A response whose media type is a stream of items: all of them at once, and by `paced` one after another. Null: the media type is
 * none, or nothing is known of its items that could be made.
 */
export const streamResponse = async (
  engine: Engine,
  { media }: CompiledResponse,
  { status, headers, seed, example }: StreamSpec,
): Promise<MockResponse | null> => {
  const kind = media === null ? null : streamKindOf(media.type)
  if (media === null || kind === null) return null
  const partAt = partsOf(engine, kind, media.pointer, media.schema, example, seed)
  const bytesAt = async (index: number): Promise<Uint8Array | undefined> => {
    const part = await partAt.at(index)
    return part === undefined ? undefined : bytesOf(part)
  }
  const whole = async (count: number): Promise<Uint8Array | null> => {
    const texts: string[] = []
    for (let index = 0; index < count; index++) texts.push((await partAt.at(index)) ?? '')
    const text = texts.join('')
    return text === '' && count > 0 ? null : bytesOf(text)
  }
  const body = await whole(partAt.count)
  if (body === null) return null
  const beat = kind === 'events' ? bytesOf(': still here\n\n') : null
  return {
    status,
    headers: [['Content-Type', media.type], ...headers],
    body,
    paced: async pace => {
      const count = pace.events ?? partAt.count
      if (pace.interval === 0 && !pace.open) return { body: (await whole(count)) ?? body }
      return { body: bytesOf(''), stream: paced(bytesAt, count, pace, beat) }
    },
  }
}

type Parts = {
  readonly count: number
  /** The text of an item; undefined: none could be made. */
  readonly at: (index: number) => Promise<string | undefined>
}

/** The items of a stream: those of the example, over and over, or made-up ones. */
const partsOf = (
  { contract, examples, generated, makers, warn }: Engine,
  kind: StreamKind,
  media: Pointer,
  schema: Pointer | null,
  example: Json | undefined,
  seed: string,
): Parts => {
  const { document, schemas } = contract.responses
  const declared = step(media, 'itemSchema')
  const itemSchema = valueAt(document, declared) === undefined ? null : declared
  const validate = itemSchema === null ? null : schemas.validator(itemSchema)
  if (example !== undefined) {
    const isRight = ({ item }: Part): boolean =>
      item === undefined || validate === null || validate(item).length === 0
    const all = partsOfExample(kind, example)
    const right = all.filter(isRight)
    if (right.length < all.length) {
      warn(
        `an item of the example of the stream at ${whereText(contract.place(media))} breaks its itemSchema: the mock leaves it out`,
      )
    }
    if (right.length > 0) return { count: right.length, at: async index => right[index % right.length]?.text }
  }
  const source = itemSchema ?? schema
  if (source === null) return { count: usualItems, at: async index => writeItem(kind, { event: index + 1 }) }
  const options = {
    document,
    schema: source,
    validatorOf: schemas.validator,
    examples,
    generated,
    makers,
  }
  return {
    count: usualItems,
    at: async index => {
      const made = await madeItem(options, seed, index)
      if (made === undefined) return undefined
      // Without itemSchema, a list is the whole stream, and a text says nothing of its events.
      const isWhole = itemSchema === null
      if (isWhole && typeof made === 'string') return writeItem(kind, { event: index + 1 })
      const list = isWhole && Array.isArray(made) ? (made as readonly Json[]) : [made]
      return list.length === 0 ? undefined : writeItem(kind, list[index % list.length] as Json)
    },
  }
}

/** The response as a scenario wants it to come. */
export const atPace = async (response: MockResponse, pace: Pace): Promise<MockResponse> =>
  response.paced === undefined ? response : { ...response, ...(await response.paced(pace)) }

/** Whether every property that is due is known, so that nothing has to be made up. */
export const hasAllDue = (due: readonly string[], values: Json | undefined): values is Json =>
  values !== undefined && (!isObject(values) || due.every(name => Object.hasOwn(values, name)))

/**
 * The sample with the known values in the place of its own. A property that is neither due nor known is left out: a tag
 * that nobody sent is not made up.
 */
export const merge = (
  root: SchemaPlace,
  due: ReadonlySet<string>,
  sample: Json | undefined,
  values: Json | undefined,
): Json | undefined => {
  if (values === undefined || !isObject(values)) return values ?? sample
  if (!isObject(sample)) return sample
  const kept = Object.entries(sample).filter(
    ([name]) => due.has(name) || !root.properties.includes(name) || Object.hasOwn(values, name),
  )
  const members = { ...Object.fromEntries(kept), ...values }
  return Object.fromEntries(inDocumentOrder(root, Object.entries(members)))
}

/** The bodies that a sample and the known values can make, the one with the most known values first. */
export function* mergeCandidates(
  root: SchemaPlace,
  due: ReadonlySet<string>,
  validate: Validate | null,
  sample: Json | undefined,
  values: Json | undefined,
): Generator<Json | undefined> {
  const whole = merge(root, due, sample, values)
  yield whole
  if (whole === undefined) return
  if (!isObject(values)) {
    if (sample !== whole) yield sample
    return
  }
  // Then without the values that the schema of the response does not allow.
  const wrong = new Set(validate?.(whole).map(({ at }) => steps(at)[0]))
  const rest = Object.entries(values).filter(([name]) => !wrong.has(name))
  yield merge(root, due, sample, Object.fromEntries(rest))
  yield sample
}
