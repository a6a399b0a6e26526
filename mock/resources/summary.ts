import {
  encodedTemplate,
  isObject,
  isSameName,
  type Json,
  placesOf,
  plainName,
  type SchemaPlace,
  type SummaryKind,
  step,
  summaryKind,
} from '../../spec/index.ts'
import { type Asked, withoutOrigin } from '../engine/request.ts'
import { lastOf, type OperationRules } from '../rules/list-rule.ts'
import { constraintsOf } from '../values/likely/likely-number.ts'
import { keyOf } from './collections.ts'
import { cursorAt, type Position, ruleOf, valueFor } from './position.ts'

/** The part of a whole that a response gives. */
export type Part = {
  readonly rules: OperationRules
  readonly asked: Asked
  readonly position: Position
  readonly items: readonly Json[]
  readonly total: number
}

/** The body with the items, and with what it says of them. `body`: what else is in it. */
export const withPart = (body: Json, part: Part): Json => {
  const { rules, items } = part
  const { list, root } = rules
  if (list === null || root === null) return body
  const pointer = list.path.reduce(step, '')
  if (pointer === '') return [...items]
  const whole = summarised(isObject(body) ? body : {}, root, part, list.path, 2)
  return placed(whole, list.path, [...items])
}

const placed = (body: Json, path: readonly string[], items: Json): Json => {
  const [first, ...rest] = path
  if (first === undefined) return items
  const object = isObject(body) ? body : {}
  return { ...object, [first]: placed(object[first] ?? {}, rest, items) }
}

/** Objects beside the list, such as `meta` or `links`, say something of it as well. */
const summarised = (
  body: Readonly<Record<string, Json>>,
  place: SchemaPlace,
  part: Part,
  listPath: readonly string[],
  depth: number,
): Json => {
  const found: Record<string, Json> = { ...body }
  for (const child of place.children) {
    const name = lastOf(child.pattern)
    const isList = listPath.length === 1 && listPath[0] === name
    if (name === '*' || isList) continue
    const inner = found[name]
    const value = valueFor(part.rules, part.asked, parameterFor(part, name))
    const known = summaryValue(child, name, part) ?? (value === undefined ? undefined : { value })
    if (known !== undefined) {
      if (known.value !== undefined) found[name] = known.value
      else if (!place.required.includes(name)) delete found[name]
    } else if (depth > 0 && inner !== undefined && isObject(inner))
      found[name] = summarised(inner, child, part, listPath.slice(1), depth - 1)
  }
  return found
}

/** The query parameter that a property repeats. */
const parameterFor = ({ rules: { operation } }: Part, name: string): string | null =>
  operation.parameters.find(parameter => parameter.in === 'query' && isSameName(parameter.name, name))
    ?.name ?? null

type Known = { readonly value: Json | undefined }

const summaryValue = (place: SchemaPlace, name: string, part: Part): Known | undefined => {
  const kind = summaryKind(name)
  if (kind === null) return undefined
  const { types, keywords, properties } = place
  const { position, items, total } = part
  const isText = types?.includes('string') === true
  const isInteger = types?.some(type => type === 'integer' || type === 'number') === true
  if (kind === 'next' || kind === 'previous') {
    const isLink =
      keywords.some(({ keyword, value }) => keyword === 'format' && String(value).startsWith('uri')) ||
      /link|url|href/i.test(name)
    const isNull = types?.includes('null') === true
    if (properties.includes('href')) {
      const link = linkTo(kind, part)
      return { value: link === null ? undefined : { href: link } }
    }
    const value = isInteger
      ? numberTo(kind, part)
      : isLink || ruleOf(part.rules, 'cursor') === null
        ? linkTo(kind, part)
        : tokenTo(kind, part)
    return { value: value ?? (isNull ? null : undefined) }
  }
  if (kind === 'self') {
    const link = urlOf(part)
    return properties.includes('href') ? { value: { href: link } } : isText ? { value: link } : undefined
  }
  if (kind === 'more' || kind === 'earlier') {
    if (types !== null && !types.includes('boolean')) return undefined
    return { value: kind === 'more' ? position.offset + items.length < total : position.offset > 0 }
  }
  if (!isInteger) return undefined
  const size = position.size ?? total
  const values: Readonly<
    Record<Exclude<SummaryKind, 'next' | 'previous' | 'self' | 'more' | 'earlier'>, number>
  > = {
    total,
    pages: size === 0 ? 0 : Math.ceil(total / size),
    size,
    page: position.page,
    offset: position.offset,
  }
  return { value: values[kind] }
}

type Way = 'next' | 'previous'

/** Where the next or previous part begins; null: there is none. */
const offsetTo = (way: Way, { position, items, total }: Part): number | null => {
  const { offset, size } = position
  if (way === 'next') return offset + items.length < total && items.length > 0 ? offset + items.length : null
  return offset > 0 ? Math.max(0, offset - (size ?? offset)) : null
}

const tokenTo = (way: Way, part: Part): Json | null => {
  const offset = offsetTo(way, part)
  return offset === null ? null : cursorAt(offset)
}

const numberTo = (way: Way, part: Part): Json | null => {
  const offset = offsetTo(way, part)
  if (offset === null) return null
  return ruleOf(part.rules, 'page') === null ? offset : part.position.page + (way === 'next' ? 1 : -1)
}

/** The URL of the next or previous part; null: there is none, or no parameter leads to it. */
const linkTo = (way: Way, part: Part): string | null => {
  const { rules, position } = part
  const offset = offsetTo(way, part)
  if (offset === null) return null
  const [page, start, cursor] = (['page', 'offset', 'cursor'] as const).map(kind => ruleOf(rules, kind))
  const [name, value] =
    page != null
      ? [page, String(position.page + (way === 'next' ? 1 : -1))]
      : start != null
        ? [start, String(offset)]
        : [cursor ?? null, cursorAt(offset)]
  if (name === null) return null
  return urlOf(part, name, value)
}

/** The URL of a request, with another value for a parameter. */
const urlOf = ({ asked: { target, origin, basePath } }: Part, name?: string, value = ''): string => {
  const [path = '', query = ''] = withoutOrigin(target).split('?')
  const pairs = new URLSearchParams(query)
  if (name !== undefined) pairs.set(name, value)
  const end = pairs.size === 0 ? '' : `?${pairs}`
  return origin + basePath + path + end
}

/** What a header says of a list: `Link`, or a total; null: it says something else. */
export const partHeader = (name: string, part: Part): string | null => {
  const { asked, total } = part
  if (plainName(name) !== 'link') return summaryKind(name) === 'total' ? String(total) : null
  const links = (['next', 'previous'] as const).flatMap(way => {
    const link = linkTo(way, part)
    return link === null ? [] : [`<${link}>; rel="${way === 'next' ? 'next' : 'prev'}"`]
  })
  return links.length > 0 ? links.join(', ') : `<${asked.basePath}${withoutOrigin(asked.target)}>; rel="self"`
}

/** Where a resource is, as the schema of `Location` has it. `values`: the names in its path, from the left. */
export const locationOf = (
  { contract, declared, resource }: OperationRules,
  values: readonly Json[],
  { origin, basePath }: Pick<Asked, 'origin' | 'basePath'>,
): string | null => {
  if (resource === null) return null
  let index = 0
  const path =
    basePath +
    encodedTemplate(resource.path).replace(/\{[^{}]*\}/g, () =>
      encodeURIComponent(keyOf(values[index++] ?? '')),
    )
  const schema = declared.headers.find(({ name }) => /^location$/i.test(name))?.schema ?? null
  const format =
    schema === null ? '' : constraintsOf(placesOf(contract.responses.document, schema)).keywords.format
  const isWhole = format === 'uri' || format === 'url'
  return isWhole ? origin + path : path
}
