import {
  type Json,
  placeOf,
  plainValue,
  type SchemaPlace,
  type Subject,
  setAt,
  step,
  typedProperties,
  valuesOfType,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import type { OperationModel } from '../operation-model.ts'
import { absentCredentials } from '../render.ts'
import { labelOf, optionalOf, withAllOptional, withOptional } from '../with-optional.ts'
import { isIdentity, withRandomBody } from './edit-spec.ts'
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

/** The request with all that is optional, and with items and properties in its lists and objects, so that losing them shows. */
export const withRichBody = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec =>
  edited(model, withAllOptional(model, spec, number), (name, value) => {
    const place = model.body === null ? null : placeOf(model.body.root, step('', name))
    if (place === null || place.children.length === 0) return []
    const label = labelOf(number, 'optional')
    const whole = place.children.reduce<Json>(
      (rest, child) =>
        child.pattern.endsWith('/*')
          ? plainValue(place, child.pattern, label)
          : setAt(rest, child.pattern.slice(place.pattern.length), plainValue(child, null, label)),
      value,
    )
    return [whole, ...place.children.map(child => plainValue(place, child.pattern, label))]
  })

/** The request with zero, false and empty values where they are valid: some servers take them for absent. */
const withFalsyBody = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec =>
  edited(model, withAllOptional(model, spec, number), name =>
    spec.renewable && name === model.identity?.name ? [] : [0, false, ''],
  )

/** The request with texts that servers trim, fold or store in another encoding, and with numbers that they round or cut. */
const withDelicateBody = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec =>
  edited(model, withAllOptional(model, spec, number), (name, value) => {
    if (spec.renewable && name === model.identity?.name) return []
    if (typeof value === 'string') return delicateTexts
    const place = model.body === null ? null : placeOf(model.body.root, step('', name))
    const most = place?.keywords.find(({ keyword }) => keyword === 'maximum')?.value
    return [...(typeof most === 'number' ? [most - 0.5, most] : []), ...delicateNumbers]
  })

const delicateTexts = [' It’s Ünï, Aa ', ' Ü A,a ', 'ÜAa', 'Aa']
/** Beyond 32 and 16 bits. */
const delicateNumbers = [3_000_000_000.5, 3_000_000_000, 70_000.5, 70_000, 0.5]

/** The request with the first of these values in each property that leaves the body valid. */
const edited = (
  model: OperationModel,
  spec: RequestSpec,
  valuesOf: (name: string, value: Json) => readonly Json[],
): RequestSpec => {
  const { body } = spec
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return spec
  return {
    ...spec,
    body: Object.entries(body).reduce<Json>((rest, [name, value]) => {
      const changed = valuesOf(name, value as Json).map(other => setAt(rest, step('', name), other))
      return changed.find(model.isValidBody) ?? rest
    }, body as Json),
  }
}
