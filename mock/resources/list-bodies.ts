import { type Json, writeJson } from '../../spec/index.ts'
import { statusOf } from '../engine/compiled-response.ts'
import type { Asked } from '../engine/fit.ts'
import { sampleOf } from '../engine/samples.ts'
import type { OperationRules } from '../rules/rule.ts'
import { freshValue } from '../values/fresh-values.ts'
import { positionOf } from './position.ts'
import type { ResourceContext } from './resource-context.ts'
import { type Choice, choiceOf } from './select.ts'
import { type Part, withPart } from './summary.ts'

/** All items that a list can give, in their order. */
export type Whole = {
  readonly size: number
  readonly documented: number
  readonly itemAt: (index: number) => Promise<Json>
  readonly indexOf: (name: Json) => number
}

/** More than these are not looked at to select or to sort. */
const mostChosen = 1000

/** The part of a whole that a request asks for. */
export const partOf = async (rules: OperationRules, asked: Asked, whole: Whole): Promise<Part> => {
  const choice = choiceOf(rules, asked)
  const chosen = choice.keeps === null && choice.order === null ? null : await chosenOf(whole, choice)
  const total = chosen?.length ?? whole.size
  const indexOf = (name: Json): number => {
    const index = whole.indexOf(name)
    return chosen === null ? index : chosen.indexOf(index)
  }
  const position = positionOf(rules, asked, indexOf, whole.documented)
  const { least, most } = lengthsOf(rules)
  const size = Math.min(position.size ?? total, most)
  // A list that must not be empty ends with its last items.
  const from = Math.max(0, Math.min(position.offset, total - least))
  const indexes = [...Array(Math.max(0, Math.min(Math.max(size, least), total - from))).keys()].map(
    step => chosen?.[from + step] ?? from + step,
  )
  const items = await Promise.all(indexes.map(whole.itemAt))
  return { rules, asked, position: { ...position, offset: from }, items, total }
}

const chosenOf = async (whole: Whole, { keeps, order }: Choice): Promise<readonly number[]> => {
  const indexes = [...Array(Math.min(whole.size, mostChosen)).keys()]
  const all = await Promise.all(indexes.map(async index => ({ index, item: await whole.itemAt(index) })))
  const kept = keeps === null ? all : all.filter(({ item }) => keeps(item))
  const sorted = order === null ? kept : kept.toSorted((left, right) => order(left.item, right.item))
  return sorted.map(({ index }) => index)
}

const lengthsOf = ({ list }: OperationRules): { readonly least: number; readonly most: number } => {
  const limit = (keyword: string): number | undefined => {
    const value = list?.list.keywords.find(use => use.keyword === keyword)?.value
    return typeof value === 'number' ? value : undefined
  }
  return { least: limit('minItems') ?? 0, most: limit('maxItems') ?? Number.POSITIVE_INFINITY }
}

/** The body of a list. `example`: what else is in it; undefined: that is made up. */
export const listBody = async (
  { engine }: ResourceContext,
  part: Part,
  example: Json | undefined,
  isDynamic: boolean,
): Promise<Json> => {
  const { operation, declared, list, root } = part.rules
  if (list === null || list.path.length === 0 || root === null) return withPart([], part)
  if (example !== undefined) return withPart(example, part)
  const { body = {} } = await sampleOf(engine, operation, declared, statusOf(declared, 200), 'random', 0)
  const examplesOf = isDynamic ? () => [] : engine.examples.at
  const fresh = freshValue(body, root, operation.id, { makers: await engine.makers(), examplesOf, turn: 0 })
  return withPart(fresh, part)
}

/** What a request sent for parameters that no rule is about, as one text. */
export const saltOf = ({ operation, query }: OperationRules, { parameters }: Asked): string => {
  const others = operation.parameters.filter(
    ({ name, in: part }) =>
      part === 'query' &&
      parameters[name] !== undefined &&
      !query.some(({ parameter }) => parameter === name),
  )
  return others.map(({ name }) => `${name}=${writeJson(parameters[name] ?? null)}`).join('&')
}
