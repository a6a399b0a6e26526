import { readItems } from '../bodies/stream-items.ts'
import type { Contract, DeclaredResponse } from '../contract/contract.ts'
import { decodedBody } from '../http/content-encoding.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { type StreamMedia, streamMedia } from '../obligations/response-media.ts'
import { placesOf, type SchemaPlace } from '../schema/locations.ts'
import type { Validate } from '../schema/validator.ts'
import { utf8Text } from '../text/latin1.ts'
import { shortText } from '../text/shown-text.ts'
import { type BodyViolation, schemaViolations } from './response-body.ts'

export type ItemsJudge = StreamMedia & { readonly root: SchemaPlace; readonly validate: Validate }

/** The streams of a declared response, with the compiled schemas of their items. */
export const itemsJudges = (contract: Contract, declared: DeclaredResponse): readonly ItemsJudge[] =>
  streamMedia(contract, declared).map(stream => ({
    ...stream,
    root: placesOf(contract.responses.document, stream.items),
    validate: contract.responses.schemas.validator(stream.items),
  }))

const aspect = { aspect: 'items' } as const

/** What the first item of a stream breaks that does not fit its schema. */
export const itemsViolation = (judge: ItemsJudge, response: HttpResponse): BodyViolation | null => {
  const decoded = decodedBody(response)
  const text = 'problem' in decoded ? null : utf8Text(decoded)
  if (text === null)
    return {
      aspect,
      expected: 'UTF-8',
      actual: 'a body that is not',
      title: 'with a stream that is not UTF-8',
    }
  // A schema may be one of events, or of the JSON in their data; where it has alternatives, only the items tell.
  const isOfEvents = judge.root.properties.includes('data')
  const found = firstProblem(judge, text, isOfEvents)
  if (found === null || judge.kind !== 'events') return found
  return firstProblem(judge, text, !isOfEvents) === null ? null : found
}

const firstProblem = (
  { kind, root, validate, media }: ItemsJudge,
  text: string,
  isOfEvents: boolean,
): BodyViolation | null => {
  for (const [index, item] of readItems(kind, text, isOfEvents).entries()) {
    const where = `item ${index + 1} of the stream`
    if (!item.ok)
      return {
        aspect,
        expected: 'JSON',
        actual: shortText(item.text),
        title: `with ${where} that is not JSON`,
      }
    const schema = { type: media.type, root, validate, format: null, echoes: [] }
    const [broken] = schemaViolations(schema, validate(item.value), item.value)
    if (broken !== undefined) return { ...broken, aspect, title: `${broken.title} (${where})` }
  }
  return null
}
