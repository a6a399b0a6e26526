import {
  header,
  isArray,
  isNumber,
  isObject,
  itemsIn,
  type Json,
  type Outcome,
  propertyIn,
  type Resource,
  rawNumber,
  readJson,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel, ParameterModel } from '../cases/operation-model.ts'
import { isNamed } from '../things/is-named.ts'
import type { Thing } from '../things/thing.ts'

/** A list of more pages than these is not read to its end. */
const mostPages = 200

/**
 * Reads a list page by page until it has the thing, or to its end. Gives why that cannot be told; null if it can: then the last page
 * that was read has the thing, or no page has.
 */
export const listSteps = async (
  resource: Resource,
  { parameters }: OperationModel,
  plain: RequestSpec,
  thing: Thing,
  send: (spec: RequestSpec, values: readonly Json[]) => Promise<Outcome>,
): Promise<string | null> => {
  const outer = thing.values.slice(0, -1)
  let spec = withLargePage(plain, parameters)
  let seen = 0
  for (let page = 0; page < mostPages; page++) {
    const outcome = await send(spec, outer)
    if (outcome.kind === 'failure' || outcome.response.status >= 300)
      return `the list answered ${outcome.kind === 'failure' ? outcome.detail : outcome.response.status}`
    const reading = readJson(outcome.response.body)
    const items = reading.ok ? itemsIn(reading.value) : null
    if (!reading.ok || items === null) return 'the list has no items that can be told apart'
    if (items.some(item => isNamed(propertyIn(resource, item), thing.values.at(-1)))) return null
    seen += items.length
    const next = nextPage(spec, parameters, outcome.response.headers, reading.value, items.length, seen)
    if (next === null || items.length === 0) return null
    spec = next
  }
  return `the list has more than ${mostPages} pages`
}

const named = (parameters: readonly ParameterModel[], pattern: RegExp): ParameterModel | undefined =>
  parameters.find(({ parameter }) => parameter.in === 'query' && pattern.test(parameter.name))

const sizeNames = /^(limit|(page|per|max)[-_]?(size|page|results|items)|size|count|top|\$top)$/i
const pageNames = /^(page|page[-_]?(number|no|index))$/i
const offsetNames = /^(offset|skip|start|start[-_]?index|\$skip)$/i
const cursorNames =
  /^(cursor|after|starting[-_]?after|marker|continuation([-_]?token)?|(next[-_]?)?page[-_]?token|next)$/i
const nextNames =
  /^(next|next[-_]?(page|cursor|token|link|url|page[-_]?token)|cursor|end[-_]?cursor|continuation([-_]?token)?|marker)$/i

/** As many items as a page may have, so that few pages are needed. */
const withLargePage = (spec: RequestSpec, parameters: readonly ParameterModel[]): RequestSpec => {
  const size = named(parameters, sizeNames)
  const most = ['100', '50', '20', '10'].map(rawNumber).find(value => size?.isValid(value) === true)
  return size === undefined || most === undefined ? spec : withParameter(spec, size, most)
}

const withParameter = (spec: RequestSpec, { parameter }: ParameterModel, value: Json): RequestSpec => ({
  ...spec,
  parameters: { ...spec.parameters, [parameter.name]: value },
})

/** The request for the page after this one; null if this is the last. */
const nextPage = (
  spec: RequestSpec,
  parameters: readonly ParameterModel[],
  headers: readonly (readonly [string, string])[],
  body: Json,
  items: number,
  seen: number,
): RequestSpec | null => {
  const link = /<([^>]*)>\s*;[^,]*rel="?next/.exec(header(headers, 'link') ?? '')?.[1]
  const given = link ?? nextIn(body)
  if (typeof given === 'string' && given.includes('?')) return withQuery(spec, parameters, given)
  const cursor = named(parameters, cursorNames)
  if (cursor !== undefined && given !== undefined) return withParameter(spec, cursor, given)
  if (link === undefined && given === undefined && !mayHaveMore(body, seen)) return null
  const offset = named(parameters, offsetNames)
  if (offset !== undefined) return withParameter(spec, offset, rawNumber(String(seen)))
  const page = named(parameters, pageNames)
  if (page === undefined || items === 0) return null
  const now = spec.parameters[page.parameter.name]
  const first = page.isValid(rawNumber('0')) ? 0 : 1
  const number = now === undefined || !isNumber(now) ? first : Number(now)
  return withParameter(spec, page, rawNumber(String(number + 1)))
}

/** What the body says about the next page, at its top or in an object there; undefined if nothing. */
const nextIn = (body: Json): Json | undefined => {
  if (!isObject(body)) return undefined
  const found = Object.entries(body).find(
    ([name, value]) =>
      nextNames.test(name) && (isNumber(value) || (typeof value === 'string' && value !== '')),
  )
  if (found !== undefined) return found[1]
  const inner = Object.values(body).filter(value => isObject(value))
  return inner.map(nextIn).find(value => value !== undefined)
}

/** Whether there may be more items than were seen. A list in an object that says nothing of a total, and a bare one, may have. */
const mayHaveMore = (body: Json, seen: number): boolean => {
  if (isArray(body) || !isObject(body)) return true
  const [total] = Object.entries(body).flatMap(([name, value]) =>
    /^(total|total[-_]?(count|items|results)|count)$/i.test(name) && isNumber(value) ? [Number(value)] : [],
  )
  if (body.hasMore === false || body.has_more === false) return false
  return total === undefined || total > seen
}

const withQuery = (spec: RequestSpec, parameters: readonly ParameterModel[], url: string): RequestSpec => {
  const pairs = new URLSearchParams(url.slice(url.indexOf('?') + 1).split('#')[0])
  const values = [...pairs].flatMap(([name, value]) => {
    const model = parameters.find(({ parameter }) => parameter.in === 'query' && parameter.name === name)
    if (model === undefined) return []
    const number = /^-?\d+$/.test(value) ? rawNumber(value) : value
    return [[name, model.isValid(number) ? number : value] as const]
  })
  return { ...spec, parameters: { ...spec.parameters, ...Object.fromEntries(values) } }
}
