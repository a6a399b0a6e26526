import { isObject, isOfBody, type Json, type Subject, setAt, step } from '../../../spec/index.ts'
import { createSampler } from '../../generator/sampler.ts'
import { labelOf } from '../correlation-label.ts'
import {
  bodyToward,
  isIdentity,
  optionalOf,
  parameterAt,
  withIdentity,
  withOptional,
  withValueAt,
} from './edit-spec.ts'
import { wrongValues } from './invalid-values.ts'
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
  return values === null
    ? generatedStrategy(context, id, subject, plain)
    : listedStrategy(context, subject, values, plain)
}

/** Values of a table: each in a plain body first, then again in random bodies that are valid but for it. */
const listedStrategy = (
  context: StrategyContext,
  { location }: KeywordSubject,
  values: readonly (Json | undefined)[],
  plain: PlainSpec,
): Strategy => {
  const make: Strategy['make'] = (index, number) => {
    const value = values[index % values.length]
    const isPlain = index < values.length || !isOfBody(location) || location.place.includes('*')
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
    edgeCases: values.length,
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
    if (!isOfBody(location)) return withValueAt(context, spec, { ...location, place }, undefined, number)
    if (model.body === null) return null
    const least = bodyToward(context, spec, place, number)
    const whole = wholeBody(context, spec, least, { index, number, isRoot: location.place === '' })
    if (whole === undefined) return null
    const body = setAt(whole, place, undefined)
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

/** Values that the generator makes, for keywords that a table does not cover. */
const generatedStrategy = (
  context: StrategyContext,
  id: string,
  { location, keyword, detail }: KeywordSubject,
  plain: PlainSpec,
): Strategy | Unsupported => {
  const { model, seed } = context
  const generator = isOfBody(location)
    ? model.bodyGenerator()
    : (parameterAt(model, location)?.generator() ?? null)
  // One generator makes the values that match none of the alternatives and those that match two; the judge tells them apart.
  const invalid = generator?.invalid({
    instance: location.place,
    keyword,
    detail: keyword === 'oneOf' ? '' : detail,
  })
  if (invalid === undefined) return { unsupported: 'there is no schema to generate from' }
  if ('unsupported' in invalid)
    return { unsupported: `no value can be generated that violates this alone: ${invalid.unsupported}` }
  const sample = createSampler(invalid, seed, id)
  const make: Strategy['make'] = (index, number) => {
    const spec = plain(number)
    const value = sample(index)
    if (!isOfBody(location)) return { ...spec, parameters: { ...spec.parameters, [location.name]: value } }
    return { ...spec, body: location.place === '' ? value : withIdentity(context, value, number) }
  }
  return { size: Number.POSITIVE_INFINITY, weight: 1, precondition: 'none', make }
}
