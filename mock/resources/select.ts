import {
  compare,
  decimal,
  isArray,
  isNumber,
  isObject,
  isSameName,
  type Json,
  numberText,
  propertyPlace,
  sameJson,
  writeJson,
} from '../../spec/index.ts'
import { statusOf } from '../engine/compiled-response.ts'
import type { Asked } from '../engine/request.ts'
import { sampleOf } from '../engine/samples.ts'
import type { OperationRules } from '../rules/list-rule.ts'
import { freshValue } from '../values/fresh-values.ts'
import type { ResourceContext } from './instance-bodies.ts'
import { positionOf, ruleOf, valueFor } from './position.ts'
import { type Part, withPart } from './summary.ts'

/** What a request selects of a whole, and in which order. */
type Choice = {
  readonly keeps: ((item: Json) => boolean) | null
  readonly order: ((left: Json, right: Json) => number) | null
}

const choiceOf = (rules: OperationRules, asked: Pick<Asked, 'parameters'>): Choice => ({
  keeps: filterOf(rules, asked),
  order: orderOf(rules, asked),
})

const filterOf = (rules: OperationRules, asked: Pick<Asked, 'parameters'>): Choice['keeps'] => {
  const tests = rules.query.flatMap(rule => {
    const wanted = rule.kind === 'filter' ? valueFor(rules, asked, rule.parameter) : undefined
    if (rule.kind !== 'filter' || wanted === undefined || wanted === null) return []
    const values = isArray(wanted) ? wanted : [wanted]
    // `all` and the like are no values of the property, and select nothing.
    const known = values.filter(value => isListed(rules, rule.property, value))
    return known.length === 0 ? [] : [(item: Json) => known.some(value => has(item, rule.property, value))]
  })
  return tests.length === 0 ? null : item => tests.every(test => test(item))
}

const isListed = ({ instance }: OperationRules, property: string, value: Json): boolean => {
  const place = instance === null ? null : propertyPlace(instance, property)
  const uses = [...(place?.keywords ?? []), ...(place?.children.flatMap(({ keywords }) => keywords) ?? [])]
  const listed = uses.filter(({ keyword }) => keyword === 'enum').flatMap(use => use.value as readonly Json[])
  return listed.length === 0 || listed.some(member => isSame(member, value))
}

const has = (item: Json, property: string, value: Json): boolean => {
  const found = isObject(item) ? item[property] : undefined
  if (found === undefined) return false
  return isArray(found) ? found.some(member => isSame(member, value)) : isSame(found, value)
}

/** In a query, the number 7 and the text "7" are the same. */
const isSame = (left: Json, right: Json): boolean =>
  sameJson(left, right) || (isPlain(left) && isPlain(right) && textOf(left) === textOf(right))

const isPlain = (value: Json): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || isNumber(value)

const textOf = (value: Json): string => (isNumber(value) ? numberText(value) : String(value))

/** `price`, `-price`, `+price`, `price:desc`, `price_desc`, `desc(price)`, `price desc`; several with commas or as a list. */
const orderOf = (rules: OperationRules, asked: Pick<Asked, 'parameters'>): Choice['order'] => {
  const given = valueFor(rules, asked, ruleOf(rules, 'sort'))
  if (given === undefined || given === null) return null
  const direction = valueFor(rules, asked, ruleOf(rules, 'direction'))
  const isDown = typeof direction === 'string' && /^-|^desc/i.test(direction)
  const texts = (isArray(given) ? given : [given]).flatMap(value =>
    typeof value === 'string' ? value.split(',') : [],
  )
  const keys: { readonly property: string; readonly sign: number }[] = []
  for (const text of texts) {
    const bare = text.trim()
    const last = keys.at(-1)
    // `price,desc` is one key with its direction.
    if (/^(asc|desc)$/i.test(bare) && last !== undefined) {
      keys[keys.length - 1] = { ...last, sign: /^desc/i.test(bare) ? -1 : 1 }
      continue
    }
    const [, sign = '', rest = ''] = /^([-+]?)(.*)$/.exec(bare) ?? []
    const [, way, wrapped] = /^(asc|desc)\((.+)\)$/i.exec(rest) ?? []
    const [, stem, ending] = /^(.+?)[\s:._-](asc|desc)(?:ending)?$/i.exec(rest) ?? []
    const whole = propertyFor(rules, wrapped ?? rest)
    const property = whole ?? propertyFor(rules, stem ?? '')
    if (property === undefined) continue
    const isReversed = sign === '-' || /^desc/i.test(way ?? (whole === undefined ? ending : '') ?? '')
    keys.push({ property, sign: isReversed || isDown ? -1 : 1 })
  }
  if (keys.length === 0) return null
  return (left, right) => {
    for (const { property, sign } of keys) {
      const order = compared(memberOf(left, property), memberOf(right, property))
      if (order !== 0) return order * sign
    }
    return 0
  }
}

const propertyFor = ({ instance }: OperationRules, name: string): string | undefined =>
  instance?.properties.find(property => isSameName(property, name))

const memberOf = (item: Json, property: string): Json | undefined =>
  isObject(item) ? item[property] : undefined

const compared = (left: Json | undefined, right: Json | undefined): number => {
  if (left === undefined || left === null || right === undefined || right === null)
    return Number(left == null) - Number(right == null)
  if (isNumber(left) && isNumber(right)) return compare(decimal(numberText(left)), decimal(numberText(right)))
  const [first, second] = [textOf(left), textOf(right)]
  return first < second ? -1 : first > second ? 1 : 0
}

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
