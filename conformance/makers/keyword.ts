import { isObject, isOfBody, type Json, type Subject, setAt, step } from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { labelOf } from '../label.ts'
import { createSampler } from '../sample.ts'
import { wrongValues } from '../wrong.ts'
import { bodyToward, isIdentity, optionalOf, put, withIdentity, withOptional } from './base.ts'
import type { Maker, MakerContext, Untested } from './maker.ts'

type KeywordSubject = Extract<Subject, { kind: 'keyword' }>
type Base = (number: number) => Draft

/** Cases where no further ones can be generated. */
const fewCases = 3

/** Requests that break one keyword at one place and nothing else. */
export const keywordMaker = (
  context: MakerContext,
  id: string,
  subject: KeywordSubject,
  base: Base,
): Maker | Untested => {
  if (subject.keyword === 'required') return missingMaker(context, subject, base)
  const values = wrongValues(context.model, subject)
  if (values === null) return generatedMaker(context, id, subject, base)
  const { where } = subject
  const make: Maker['make'] = (index, number) => {
    const value = values[index % values.length]
    // The same faults again, in bodies that are valid but for them.
    const body =
      index < values.length || !isOfBody(where) || where.place.includes('*')
        ? undefined
        : randomBody(context, number)
    const draft = base(number)
    if (body === undefined) return put(context, draft, where, value, number)
    return {
      ...draft,
      body: where.place === '' ? value : setAt(body, where.place, value),
      renewable: draft.renewable && !isIdentity(context, where),
    }
  }
  return { size: sizeOf(context, where), telling: values.length, weight: 1, lane: 'any', make }
}

const randomBody = (context: MakerContext, number: number): Json | undefined => {
  const body = context.values.background(number)
  return body === undefined ? undefined : withIdentity(context, body, number)
}

const sizeOf = ({ model }: MakerContext, where: KeywordSubject['where']): number =>
  isOfBody(where) && model.bodyGenerator() === null ? fewCases : Number.POSITIVE_INFINITY

/** Bodies without a required property, and whole but for that. */
const missingMaker = (context: MakerContext, { where, detail }: KeywordSubject, base: Base): Maker => {
  const { model } = context
  const missing = step(where.place, detail)
  const make: Maker['make'] = (index, number) => {
    const root = model.body?.root
    if (!isOfBody(where)) return put(context, base(number), { ...where, place: missing }, undefined, number)
    if (root === undefined) return null
    const label = labelOf(number)
    const plain = bodyToward(context, base(number), missing, number)
    const draft = { ...base(number), body: plain }
    const whole =
      index === 1
        ? withOptional(model, draft, optionalOf(model), label).body
        : index < 2 || where.place !== ''
          ? plain
          : (randomBody(context, number) ?? plain)
    const renewable = draft.renewable && detail !== context.identities?.name
    if (whole === undefined) return null
    const body = setAt(whole, missing, undefined)
    // An empty form looks like no body at all.
    const isBare = model.body?.in === 'form' && isObject(body) && Object.keys(body).length === 0
    return { ...draft, body: isBare && index > 0 ? { undeclared: label } : body, renewable }
  }
  return { size: sizeOf(context, where), weight: 1, lane: 'any', make }
}

/** Values that the generator makes for keywords that take more than a table. */
const generatedMaker = (
  { model, seed, ...rest }: MakerContext,
  id: string,
  { where, keyword, detail }: KeywordSubject,
  base: Base,
): Maker | Untested => {
  const parameter = model.parameters.find(
    own => own.parameter.name === where.name && own.parameter.in === where.in,
  )
  const generator = isOfBody(where) ? model.bodyGenerator() : (parameter?.generator() ?? null)
  // What is of no alternative and what is of two are made by one generator; the judge tells them apart.
  const invalid = generator?.invalid({
    instance: where.place,
    keyword,
    detail: keyword === 'oneOf' ? '' : detail,
  })
  if (invalid === undefined) return { untested: 'there is no schema to generate from' }
  if ('refused' in invalid)
    return { untested: `no value can be made that breaks this alone: ${invalid.refused}` }
  const sample = createSampler(invalid, seed, id)
  const make: Maker['make'] = (index, number) => {
    const draft = base(number)
    const value = sample(index)
    if (!isOfBody(where)) return { ...draft, parameters: { ...draft.parameters, [where.name]: value } }
    return {
      ...draft,
      body: where.place === '' ? value : withIdentity({ model, seed, ...rest }, value, number),
    }
  }
  return { size: Number.POSITIVE_INFINITY, weight: 1, lane: 'any', make }
}
