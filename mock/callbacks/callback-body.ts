import {
  type Exchange,
  isJsonMedia,
  isObject,
  type Json,
  type Media,
  mediaType,
  readJson,
  writeJson,
} from '../../spec/index.ts'
import { digest } from '../chance/digest.ts'
import type { Engine } from '../engine/engine.ts'
import { madeItem } from '../streams/made-items.ts'

export type Body = { readonly type: string; readonly bytes: Uint8Array }

/**
 * The body of a callback: the example of the document, else a made-up value, with what the answer and the request say under the same
 * names where that conforms. Undefined: none could be made.
 */
export const callbackBody = async (
  { contract, examples, generated, makers }: Engine,
  media: Media,
  exchange: Exchange,
): Promise<Body | undefined> => {
  const { type, pointer, schema } = media
  const bodyOf = (value: Json): Body => ({
    type,
    bytes: new TextEncoder().encode(
      typeof value === 'string' && !isJsonMedia(mediaType(type) ?? '') ? value : writeJson(value),
    ),
  })
  const example = examples.named(pointer, type, null)
  if (example !== undefined) return bodyOf(example)
  if (schema === null) return bodyOf({})
  const { document, schemas } = contract.requests
  const validate = schemas.validator(schema)
  const seed = digest(`${exchange.url} ${exchange.status}`)
  const made = await madeItem(
    { document, schema, validatorOf: schemas.validator, examples, generated, makers },
    seed,
    0,
  )
  if (made === undefined || !isObject(made)) return made === undefined ? undefined : bodyOf(made)
  const known = Object.fromEntries(
    [jsonOf(exchange.request.body), jsonOf(exchange.response.body)].flatMap(Object.entries),
  ) as Readonly<Record<string, Json>>
  let value = made
  for (const name of Object.keys(made)) {
    if (!Object.hasOwn(known, name)) continue
    const changed = { ...value, [name]: known[name] as Json }
    if (validate(changed).length === 0) value = changed
  }
  return bodyOf(value)
}

const jsonOf = (body: Uint8Array | null): Readonly<Record<string, Json>> => {
  const reading = body === null ? null : readJson(body)
  return reading?.ok === true && isObject(reading.value) ? reading.value : {}
}
