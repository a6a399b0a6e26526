import {
  plainValue,
  type SchemaPlace,
  type Subject,
  setAt,
  typedProperties,
  valuesOfType,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { labelOf } from '../correlation-label.ts'
import type { OperationModel } from '../operation-model.ts'
import { absentCredentials } from '../render.ts'
import { optionalOf, withOptional } from '../with-optional.ts'
import { isIdentity, withRandomBody } from './edit-spec.ts'
import { withDelicateBody, withFalsyBody, withRichBody } from './rich-body.ts'
import {
  finiteStrategy,
  type PlainSpec,
  type Strategy,
  type StrategyContext,
  type Unsupported,
} from './strategy.ts'

/** The request that a chain is about: plain, with all that is optional, with one property of it, random; or invalid. */
export const stateStrategy = (
  context: StrategyContext,
  { name }: Extract<Subject, { kind: 'state' }>,
  plain: PlainSpec,
): Strategy | Unsupported => {
  if (name === 'rejected') return rejectedStrategy(context, plain)
  const { model } = context
  if (model.body === null) return chainStrategy(2, (_index, number) => plain(number))
  const parts = optionalOf(model).map(
    property =>
      (spec: RequestSpec, number: number): RequestSpec =>
        withOptional(model, spec, [property], labelOf(number, 'optional')),
  )
  const wholes = [
    (spec: RequestSpec, number: number) => withRichBody(model, spec, number),
    (spec: RequestSpec, number: number) => withFalsyBody(model, spec, number),
    (spec: RequestSpec, number: number) => withDelicateBody(model, spec, number),
    (spec: RequestSpec) => spec,
    (spec: RequestSpec, number: number) => withRandomBody(context, spec, number * 8),
  ]
  // What shows most comes first: a change of a part shows whether the rest is kept.
  const makers = name === 'kept' ? [...parts, ...wholes] : [...wholes, ...parts]
  return chainStrategy(
    Math.min(makers.length, /^(?:other|key|if)-/.test(name) ? mostOfMeaning : mostRequests),
    (index, number) => makers[index]?.(plain(number), number) ?? null,
  )
}

const mostRequests = 8
/** That somebody is kept out does not depend on values, nor does what keys and conditions are for. */
const mostOfMeaning = 2

/** What the server keeps shows in several resources only, and few obligations are about it. */
const chainStrategy = (size: number, make: Strategy['make']): Strategy => ({
  ...finiteStrategy(size, make),
  first: 3,
})

/** Requests of which a part is invalid and the rest would change the resource; or requests without credentials. */
const rejectedStrategy = (context: StrategyContext, plain: PlainSpec): Strategy | Unsupported => {
  const { model } = context
  const credentials = absentCredentials(model.operation)
  const places =
    model.body === null
      ? []
      : typedProperties(model.body.root).filter(
          place => !isIdentity(context, { in: 'body', name: '', place: place.pattern }),
        )
  const makers: readonly ((spec: RequestSpec) => RequestSpec | null)[] = [
    ...(credentials === null ? [] : [(spec: RequestSpec) => ({ ...spec, credentials })]),
    ...places.toReversed().map(place => (spec: RequestSpec) => withWrongValue(model, spec, place)),
  ]
  if (makers.length === 0) return { unsupported: 'no request for it has to be rejected' }
  return chainStrategy(makers.length, (index, number) => {
    const spec = plain(number)
    return makers[index]?.(model.body === null ? spec : withRichBody(model, spec, number)) ?? null
  })
}

/** The request with a value of another type in a property, which nothing else makes invalid. */
const withWrongValue = (
  { isValidBody }: OperationModel,
  spec: RequestSpec,
  place: SchemaPlace,
): RequestSpec | null => {
  const plain = plainValue(place)
  const values = ['string', 'number', 'boolean', 'array', 'object'].flatMap(type => valuesOfType(type, plain))
  const wrong = values
    .map(value => (spec.body === undefined ? undefined : setAt(spec.body, place.pattern, value)))
    .find(body => body !== undefined && !isValidBody(body))
  return wrong === undefined ? null : { ...spec, body: wrong }
}
