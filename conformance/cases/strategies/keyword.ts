import { createSampler } from '../../../generator/index.ts'
import {
  isArray,
  isObject,
  isOfBody,
  type Json,
  parentOf,
  placeOf,
  type Subject,
  setAt,
  step,
  steps,
  valueAt,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { isDerived } from '../identities.ts'
import { nearMisses } from '../near-misses.ts'
import { labelOf, optionalOf, withAllOptional, withOptional } from '../with-optional.ts'
import {
  bodyToward,
  isIdentity,
  parameterAt,
  parameterWithout,
  rootOf,
  withIdentity,
  withSiblings,
  withValueAt,
} from './edit-spec.ts'
import { derivedWrongValues, wrongValues } from './invalid-values.ts'
import type { PlainSpec, Strategy, StrategyContext, Unsupported } from './strategy.ts'

type KeywordSubject = Extract<Subject, { kind: 'keyword' }>

/** Requests that violate one keyword at one place and nothing else. */
export const keywordStrategy = (
  context: StrategyContext,
  id: string,
  subject: KeywordSubject,
  plain: PlainSpec,
): Strategy | Unsupported => {
  if (subject.keyword === 'required') return missingPropertyStrategy(context, subject, plain)
  const values = wrongValues(context.model, subject)
  if (values === null) return generatedStrategy(context, id, subject, plain)
  const { location, detail } = subject
  if (isIdentity(context, location)) return identityStrategy(context, subject, values, plain)
  const valuesAt =
    location.place === '' && detail === 'array'
      ? (number: number) => [...values, ...positional(context, plain(number), number)]
      : () => values
  return listedStrategy(context, subject, valuesAt, plain)
}

/**
 * Invalid values of an identity. Those made from a fresh identity come first: a server that rejects duplicates may have seen any
 * other in an earlier run.
 */
const identityStrategy = (
  context: StrategyContext,
  subject: KeywordSubject,
  values: readonly (Json | undefined)[],
  plain: PlainSpec,
): Strategy => {
  const valuesAt = (number: number): readonly (Json | undefined)[] => {
    const text = context.identities?.text(number) ?? '1'
    const derived = derivedWrongValues(context.model, subject, text)
    if (subject.keyword === 'type') return [...derived, ...values]
    // The values at the edge of a range come first: no fresh one is as near.
    return [...values.slice(0, 3), ...derived, ...values.slice(3)]
  }
  const strategy = listedStrategy(context, subject, valuesAt, plain)
  return {
    ...strategy,
    make: (index, number) => {
      const spec = strategy.make(index, number)
      const text = context.identities?.text(number)
      const name = context.identities?.name
      if (spec === null || text === undefined || name === undefined || !isObject(spec.body)) return spec
      const value = spec.body[name]
      return value !== undefined && isDerived(value, text) ? { ...spec, derivedFrom: text } : spec
    },
  }
}

/** The values of an object in a list, alone or with their names: some decoders take that for the object. */
const positional = ({ model }: StrategyContext, spec: RequestSpec, number: number): readonly Json[] => {
  const whole = withAllOptional(model, spec, number).body
  if (!isObject(spec.body) || !isObject(whole)) return []
  const values = Object.values(whole)
  const pairs = Object.entries(spec.body).map(pair => [...pair])
  return [values, pairs, [...Object.values(spec.body), null], values.toReversed()]
}

/** Values of a table: each in a plain body first, then again in random bodies that are valid but for it. */
const listedStrategy = (
  context: StrategyContext,
  { location }: KeywordSubject,
  valuesAt: (number: number) => readonly (Json | undefined)[],
  plain: PlainSpec,
): Strategy => {
  const { length } = valuesAt(0)
  const make: Strategy['make'] = (index, number) => {
    const value = valuesAt(number)[index % length]
    const isPlain = index < length || !isOfBody(location) || location.place.includes('*')
    const body = isPlain ? undefined : randomBody(context, number)
    const spec = plain(number)
    if (body === undefined) return withValueAt(context, spec, location, value, number)
    return {
      ...spec,
      body: location.place === '' ? value : setAt(body, location.place, value),
      renewable: spec.renewable && !isIdentity(context, location),
    }
  }
  return {
    size: sizeOf(context, location),
    edgeCases: length,
    weight: 1,
    precondition: 'none',
    make,
  }
}

const randomBody = (context: StrategyContext, number: number): Json | undefined => {
  const body = context.values.background(number)
  return body === undefined ? undefined : withIdentity(context, body, number)
}

/** Cases of an obligation for which no random bodies can be generated. */
const fewCases = 3

const sizeOf = ({ model }: StrategyContext, location: KeywordSubject['location']): number =>
  isOfBody(location) && model.bodyGenerator() === null ? fewCases : Number.POSITIVE_INFINITY

/** Bodies without a required property, and valid but for that. */
const missingPropertyStrategy = (
  context: StrategyContext,
  { location, detail }: KeywordSubject,
  plain: PlainSpec,
): Strategy => {
  const { model } = context
  const place = step(location.place, detail)
  const make: Strategy['make'] = (index, number) => {
    const spec = plain(number)
    if (!isOfBody(location)) return parameterWithout(context, spec, { ...location, place }, number)
    if (model.body === null) return null
    const least = bodyToward(context, spec, place, number)
    const isRoot = location.place === ''
    const made = wholeBody(context, spec, least, { index, number, isRoot })
    // Only JSON can carry an object that has lost its one property.
    const whole =
      made === undefined || isRoot || location.in === 'body'
        ? made
        : withSiblings(context, location.place, made, labelOf(number))
    if (whole === undefined) return null
    const body = index === 2 ? inOtherCase(whole, place) : setAt(whole, place, undefined)
    // An empty form looks like no body at all.
    const isBare = model.body.in === 'form' && isObject(body) && Object.keys(body).length === 0
    return {
      ...spec,
      body: isBare && index > 0 ? { undeclared: labelOf(number) } : body,
      renewable: spec.renewable && detail !== context.identities?.name,
    }
  }
  return { size: sizeOf(context, location), weight: 1, precondition: 'none', make }
}

/** The body with the property under another letter case, which is another name. */
const inOtherCase = (body: Json, place: string): Json | undefined => {
  const name = steps(place).at(-1) ?? ''
  const parent = parentOf(place)
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
  const value = valueAt(body, place) as Json | undefined
  const rest = setAt(body, place, undefined)
  return value === undefined || rest === undefined || other === name
    ? rest
    : setAt(rest, step(parent, other), value)
}

/** The body to take a property from: the least one first, then one with everything, then random ones. */
const wholeBody = (
  context: StrategyContext,
  spec: Parameters<typeof withOptional>[1],
  least: Json,
  { index, number, isRoot }: { readonly index: number; readonly number: number; readonly isRoot: boolean },
): Json | undefined => {
  if (index === 1) {
    const names = optionalOf(context.model)
    return withOptional(context.model, { ...spec, body: least }, names, labelOf(number)).body
  }
  return index === 0 || !isRoot ? least : (randomBody(context, number) ?? least)
}

/** The nearest misses, then values that the generator makes, for keywords that a table does not cover. */
const generatedStrategy = (
  context: StrategyContext,
  id: string,
  subject: KeywordSubject,
  plain: PlainSpec,
): Strategy | Unsupported => {
  const { model, seed } = context
  const { location, keyword, detail } = subject
  const near = missesOf(context, subject, 0).length
  const generator = isOfBody(location)
    ? model.bodyGenerator()
    : (parameterAt(model, location)?.generator() ?? null)
  // One generator makes the values that match none of the alternatives and those that match two; the judge tells them apart.
  const invalid = generator?.invalid({
    instance: location.place,
    keyword,
    detail: keyword === 'oneOf' ? '' : detail,
  }) ?? { unsupported: 'there is no schema to generate from' }
  const isGenerated = !('unsupported' in invalid)
  if (!isGenerated && near === 0)
    return { unsupported: `no value can be generated that violates this alone: ${invalid.unsupported}` }
  const sample = isGenerated ? createSampler(invalid, seed, id) : null
  const make: Strategy['make'] = (index, number) => {
    const spec = plain(number)
    const miss = index < near ? missesOf(context, subject, number)[index] : undefined
    if (miss !== undefined) return withValueAt(context, spec, location, miss, number)
    if (sample === null) return null
    const value = sample(index - near)
    if (!isOfBody(location)) return { ...spec, parameters: { ...spec.parameters, [location.name]: value } }
    return { ...spec, body: location.place === '' ? value : withIdentity(context, value, number) }
  }
  return { size: isGenerated ? Number.POSITIVE_INFINITY : near, weight: 1, precondition: 'none', make }
}

const missesOf = (
  { model }: StrategyContext,
  { location, keyword }: KeywordSubject,
  number: number,
): readonly Json[] => {
  const root = rootOf(model, location)
  const place = root === null ? null : placeOf(root, location.place)
  if (place === null) return []
  const misses = nearMisses(model.contract, place, keyword, labelOf(number))
  // Only JSON can carry a list without items.
  return location.in === 'body' ? misses : misses.filter(miss => !isArray(miss) || miss.length > 0)
}
