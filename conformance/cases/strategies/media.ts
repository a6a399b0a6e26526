import { isObject, placesOf, type Subject } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { validValue } from '../valid-value.ts'
import { labelOf, withMissingOptional } from '../with-optional.ts'
import { withRandomBody, withText } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Valid bodies with each of these Content-Types; one of another declared type is written as that is. */
export const mediaStrategy = (
  context: StrategyContext,
  { contentTypes, isAccepted }: Extract<Subject, { kind: 'media' }>,
  plain: PlainSpec,
): Strategy => {
  const size = Math.max(2, contentTypes.length)
  return finiteStrategy(size, (index, number) => ({
    ...(index < size
      ? // Whoever takes a charset for another one shows it by letters beyond ASCII.
        isAccepted
        ? withText(context, plain(number), 'Renée')
        : plain(number)
      : withRandomBody(context, plain(number), number)),
    contentType: contentTypes[index % contentTypes.length] ?? null,
    ...otherBody(context, contentTypes[index % contentTypes.length] ?? null, number),
  }))
}

/** The body of another declared media type, if that has a schema of its own. */
const otherBody = (
  { model: { contract, operation, body } }: StrategyContext,
  contentType: string | null,
  number: number,
): Pick<RequestSpec, 'body'> | null => {
  const media = operation.body?.media.find(({ type }) => type === contentType)
  if (media === undefined || media === body?.media || media.schema === null) return null
  const root = placesOf(contract.requests.document, media.schema)
  return root === body?.root ? null : { body: validValue(contract, root, null, labelOf(number)) }
}

/** Valid bodies of `multipart/form-data` in which one part has another media type, or lacks a header. */
export const partStrategy = (
  { model }: StrategyContext,
  { part, contentTypes, header }: Extract<Subject, { kind: 'part' }>,
  plain: PlainSpec,
): Strategy =>
  finiteStrategy(Math.max(2, contentTypes.length), (index, number) => {
    const spec = plain(number)
    const has = isObject(spec.body) && Object.hasOwn(spec.body, part)
    const contentType = contentTypes[index % contentTypes.length]
    return {
      ...(has ? spec : withMissingOptional(model, spec, number)),
      encoding: {
        kind: 'part',
        change: {
          name: part,
          ...(contentType === undefined ? {} : { contentType }),
          ...(header === null ? {} : { without: header }),
        },
      },
    }
  })
