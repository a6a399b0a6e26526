import {
  escapedText,
  isObject,
  type Json,
  type Layout,
  type Subject,
  setAt,
  step,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { conditionsOf } from '../conditions/conditions.ts'
import type { Row } from '../conditions/pair-array.ts'
import { countExamples, withExamples } from '../declared-examples.ts'
import { labelOf, withAllOptional } from '../with-optional.ts'
import { withIdentity, withText } from './edit-spec.ts'
import { plainParameters } from './plain-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** One request in so many is random, or has a boundary value; the others combine conditions, as long as there are pairs left. */
const turns = 3

/** Random bodies that come before others, with no optional parameter: one that a server rejects would hide what it does with the body. */
const earlyBodies = { count: 3, from: 1_000_000 } as const

/** Random requests and boundary values that come before the rest of any obligation. */
const edgeCases = 24

/** Valid requests: the plain one, the examples of the document, those in which every two conditions meet, random ones and boundary values. */
export const validStrategy = (context: StrategyContext, plain: PlainSpec): Strategy => {
  const { model } = context
  const conditions = conditionsOf(model)
  const rows = conditions.ordinary()
  const combined = combinedRequests(context, plain)
  const random = randomRequests(context, plain)
  const rowAt = (index: number): Row | undefined =>
    index % turns === 0 ? undefined : rows[index - 1 - Math.floor(index / turns)]
  const examples = countExamples(model)
  const early = examples + (model.bodyGenerator() === null ? 0 : earlyBodies.count)
  const isFixed = model.bodyGenerator() === null && model.parameters.length === 0
  return {
    size: isFixed ? Math.max(3, rows.length + 1) : Number.POSITIVE_INFINITY,
    first: 1 + examples,
    edgeCases: edgeCases + rows.length + early,
    weight: 10,
    precondition: 'none',
    preconditionOf: planned => {
      const row = planned <= early ? undefined : rowAt(planned - early)
      return row === undefined ? 'none' : conditions.preconditionOf(row)
    },
    richest: number => {
      const spec = random(0, number)
      const body = spec.body === undefined ? undefined : fullBody(context, earlyBodies.from)
      return body === undefined ? spec : { ...plain(number), body: withIdentity(context, body, number) }
    },
    make: (planned, number) => {
      if (planned === 0) return plain(number)
      if (planned <= examples) return withExamples(model, plain(number), planned - 1, number)
      if (planned <= early) {
        const spec = plain(number)
        const from = earlyBodies.from + planned
        const random = planned === examples + 1 ? fullBody(context, from) : context.values.body(from)
        const body = random ?? spec.body
        return body === undefined ? spec : { ...spec, body: withIdentity(context, body, number) }
      }
      const index = planned - early
      const row = rowAt(index)
      return row === undefined
        ? random(index - Math.min(rows.length, index - Math.floor(index / turns)), number)
        : combined(row, number)
    },
  }
}

/** Random bodies whose optional properties are put together. */
const joinedBodies = 8

/** A random body with what other random ones have and it has not: the more is sent, the more a server has to get right. */
const fullBody = ({ model, values }: StrategyContext, from: number): Json | undefined => {
  let full = values.body(from)
  for (let index = 1; index < joinedBodies && full !== undefined && isObject(full); index++) {
    const other = values.body(from + index * 1000)
    for (const [name, value] of other !== undefined && isObject(other) ? Object.entries(other) : []) {
      const next: Json =
        isObject(full) && !Object.hasOwn(full, name) ? setAt(full, step('', name), value) : full
      if (next !== full && model.isValidBody(next)) full = next
    }
  }
  return full
}

/** Bodies are random or have a boundary value by turns; parameters are all there, or one of the optional ones is, by turns. */
const randomRequests = (
  context: StrategyContext,
  plain: PlainSpec,
): ((...of: Parameters<Strategy['make']>) => RequestSpec) => {
  const { model, values } = context
  const optional = model.parameters.flatMap(({ parameter: { name, required } }) => (required ? [] : [name]))
  return (index, number) => {
    const spec = plain(number)
    const parameters = model.parameters.flatMap(({ parameter: { name, required } }) => {
      const isOmitted =
        !required && index % 2 === 1 && name !== optional[((index - 1) / 2) % (optional.length + 1)]
      const value = isOmitted ? undefined : values.parameter(name, index)
      return value === undefined ? [] : [[name, value] as const]
    })
    const whole = { ...spec, parameters: { ...spec.parameters, ...Object.fromEntries(parameters) } }
    if (spec.body === undefined) return whole
    // They take longest to be found, and many runs ask for none.
    const boundary =
      index > 0 && index % 2 === 0 ? model.bodyGenerator()?.boundaries[index / 2 - 1] : undefined
    const body = boundary ?? values.body(index) ?? spec.body
    return { ...whole, body: withIdentity(context, body, number) }
  }
}

/** Requests in which extremes of strings meet each other, and every other condition. */
export const combinedStrategy = (context: StrategyContext, plain: PlainSpec): Strategy => {
  const conditions = conditionsOf(context.model)
  const rows = conditions.extreme()
  const combined = combinedRequests(context, plain)
  const rowAt = (index: number): Row => rows[index % rows.length] ?? []
  return {
    size: rows.length,
    weight: 0,
    precondition: 'none',
    preconditionOf: index => conditions.preconditionOf(rowAt(index)),
    make: (index, number) => combined(rowAt(index), number),
  }
}

/** Makes the request of a row of conditions. */
const combinedRequests = (context: StrategyContext, plain: PlainSpec) => {
  const { model, identities } = context
  return (row: Row, number: number): RequestSpec => {
    const fresh =
      identities === null
        ? null
        : { name: identities.name, value: identities.at(number), text: identities.text(number) }
    const whole = withAllOptional(model, plain(number), number)
    return conditionsOf(model).apply(whole, row, labelOf(number), fresh)
  }
}

/** Valid requests that have one parameter in the query each, written in percent-escapes. */
export const queryEscapesStrategy = ({ model }: StrategyContext, plain: PlainSpec): Strategy => {
  const inQuery = model.parameters.filter(({ parameter }) => parameter.in === 'query')
  return finiteStrategy(Math.max(2, inQuery.length), (index, number) => {
    const each = inQuery[index % inQuery.length]
    if (each === undefined) return null
    const spec = plain(number)
    const value = plainParameters(each)(labelOf(number), number)
    return { ...spec, parameters: { ...spec.parameters, [each.parameter.name]: value }, queryEscapes: true }
  })
}

/** What escapes stand for, so that a reader which loses or keeps them gives back another text. */
const texts: Partial<Record<Layout, string>> = {
  'short-escapes': escapedText,
  'escaped-values': 'Z\u00fc植',
}

/** Valid bodies with all that is optional, in another layout. */
export const layoutStrategy = (
  context: StrategyContext,
  { layout }: Extract<Subject, { kind: 'layout' }>,
  plain: PlainSpec,
): Strategy =>
  finiteStrategy(4, (index, number) => {
    const spec = withAllOptional(context.model, plain(number), number)
    const text = layout === 'short-escapes' || index > 0 ? texts[layout] : undefined
    return {
      ...(text === undefined ? spec : withText(context, spec, text)),
      encoding: { kind: 'layout', layout },
    }
  })
