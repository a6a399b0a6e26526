import {
  header,
  isCountName,
  isNumber,
  isObject,
  isSameName,
  isSearchName,
  itemsIn,
  type Json,
  jsonMedia,
  type Outcome,
  type ParameterKind,
  parameterKind,
  placesOf,
  type Resource,
  rawNumber,
  readJson,
  sameJson,
  summaryKind,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel, ParameterModel } from '../cases/operation-model.ts'
import type { Instance } from '../pool/instance.ts'
import { mayBeNamed } from '../pool/is-named.ts'

/** A list of more pages than these is not read to its end. */
const mostPages = 200

/**
 * Reads a list page by page until it has the resource, or to its end. Gives why that cannot be told, such as that nothing known leads to the
 * next page; null if it can: then the last page that was read has the resource, or no page has.
 */
export const listSteps = async (
  resource: Resource,
  model: OperationModel,
  plain: RequestSpec,
  instance: Pick<Instance, 'values'>,
  send: (spec: RequestSpec, values: readonly Json[]) => Promise<Outcome>,
): Promise<string | null> => {
  const outer = instance.values.slice(0, -1)
  let spec = withLargePage(plain, model.parameters)
  let seen = 0
  for (let page = 0; page < mostPages; page++) {
    const outcome = await send(spec, outer)
    if (outcome.kind === 'failure' || outcome.response.status >= 300)
      return `the list answered ${outcome.kind === 'failure' ? outcome.detail : outcome.response.status}`
    const reading = readJson(outcome.response.body)
    const items = reading.ok ? itemsIn(reading.value) : null
    if (!reading.ok || items === null) return 'the list has no items that can be told apart'
    if (items.some(item => mayBeNamed(resource, item, instance.values.at(-1)))) return null
    seen += items.length
    const next = nextPage(model, spec, {
      headers: outcome.response.headers,
      body: reading.value,
      items,
      seen,
      pages: page + 1,
    })
    if (next === 'end') return null
    if (next === 'unknown')
      return `the list may have more pages, and no parameter of ${model.operation.id} is known to ask for them: call it \`page\`, \`offset\` or \`cursor\`, or answer with a header Link with rel="next"`
    spec = next
  }
  return `the list has more than ${mostPages} pages`
}

/** What was read of a list so far: the last page, how many items all pages had, and how many pages there were. */
type PageRead = {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Json
  readonly items: readonly Json[]
  readonly seen: number
  readonly pages: number
}

const inQuery = (parameters: readonly ParameterModel[]): readonly ParameterModel[] =>
  parameters.filter(({ parameter }) => parameter.in === 'query')

const ofKind = (parameters: readonly ParameterModel[], kind: ParameterKind): ParameterModel | undefined =>
  inQuery(parameters).find(({ parameter }) => parameterKind(parameter.name) === kind)

/** As many items as a page may have, so that few pages are needed. */
const withLargePage = (spec: RequestSpec, parameters: readonly ParameterModel[]): RequestSpec => {
  const size = ofKind(parameters, 'size')
  const most = ['100', '50', '20', '10'].map(rawNumber).find(value => size?.isValid(value) === true)
  return size === undefined || most === undefined ? spec : withParameter(spec, size, most)
}

const withParameter = (spec: RequestSpec, { parameter }: ParameterModel, value: Json): RequestSpec => ({
  ...spec,
  parameters: { ...spec.parameters, [parameter.name]: value },
})

/** The request for the page after this one. `unknown`: there may be one, and nothing that is known leads to it. */
const nextPage = (
  model: OperationModel,
  spec: RequestSpec,
  read: PageRead,
): RequestSpec | 'end' | 'unknown' => {
  const { parameters } = model
  const { headers, body, items, seen } = read
  const links = (header(headers, 'link') ?? '').matchAll(/<([^<>]*)>\s*;([^,]*)/g)
  const link = links.find(([, , parameters = '']) => /rel="?next/.test(parameters))?.[1]
  const given = link ?? nextIn(body)
  if (typeof given === 'string' && given.includes('?')) return withQuery(spec, parameters, given) ?? 'unknown'
  const cursor = ofKind(parameters, 'cursor')
  if (cursor !== undefined && given !== undefined)
    return sameJson(spec.parameters[cursor.parameter.name] ?? null, given)
      ? 'unknown'
      : withParameter(spec, cursor, given)
  const more = given !== undefined ? true : saysMore(read)
  if (more === false || (more === null && items.length === 0)) return 'end'
  const offset = ofKind(parameters, 'offset')
  const start = rawNumber(String(seen))
  if (items.length > 0 && offset?.isValid(start) === true) return withParameter(spec, offset, start)
  const page = ofKind(parameters, 'page')
  const number = page === undefined ? null : pageAfter(spec, page)
  if (items.length > 0 && page !== undefined && number !== null) return withParameter(spec, page, number)
  return more === true || mayHaveUnknown(model, spec, read) ? 'unknown' : 'end'
}

/** The number of the page after the one that a request asks for; null if the parameter does not take it. */
const pageAfter = (spec: RequestSpec, page: ParameterModel): Json | null => {
  const now = spec.parameters[page.parameter.name]
  const first = page.isValid(rawNumber('0')) ? 0 : 1
  const next = rawNumber(String((now === undefined || !isNumber(now) ? first : Number(now)) + 1))
  return page.isValid(next) ? next : null
}

/** What the body says about the next page, at its top or in an object there; undefined if nothing. */
const nextIn = (body: Json): Json | undefined => {
  if (!isObject(body)) return undefined
  const found = Object.entries(body).find(
    ([name, value]) =>
      summaryKind(name) === 'next' && (isNumber(value) || (typeof value === 'string' && value !== '')),
  )
  if (found !== undefined) return found[1]
  const inner = Object.values(body).filter(value => isObject(value))
  return inner.map(nextIn).find(value => value !== undefined)
}

/** Whether a response says that there are more items; null if it says nothing that is known. */
const saysMore = ({ headers, body, items, seen, pages }: PageRead): boolean | null => {
  const beside = isObject(body) ? Object.entries(body) : []
  const inner = beside.flatMap(([, value]) => (isObject(value) ? Object.entries(value) : []))
  const ofHeaders = headers.flatMap(([name, value]) =>
    /^x-/i.test(name) ? [[name.slice(2), value] as const] : [],
  )
  const said = [...beside, ...inner, ...ofHeaders].map(([name, value]) => {
    const kind = summaryKind(name)
    if (kind === 'more') return typeof value === 'boolean' ? value : value === 'true' ? true : null
    if (kind === 'next') return value !== null && value !== '' && value !== false
    const number = isNumber(value) || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN
    if (kind === 'pages' && !Number.isNaN(number)) return number > pages
    if (kind !== 'total' || Number.isNaN(number)) return null
    // A count may be that of this page alone.
    return isCountName(name) && number === items.length ? null : number > seen
  })
  return said.includes(true) ? true : said.includes(false) ? false : null
}

/** Whether a list that says nothing may have more all the same: by a parameter whose meaning is not known, or as its page is full. */
const mayHaveUnknown = (model: OperationModel, spec: RequestSpec, { items, pages }: PageRead): boolean => {
  const size = ofKind(model.parameters, 'size')
  const asked = size === undefined ? undefined : spec.parameters[size.parameter.name]
  if (asked !== undefined && isNumber(asked) && items.length >= Number(asked)) return true
  const [item] = items
  const isFilter = (name: string): boolean =>
    isObject(item ?? null) && Object.keys(item as object).some(property => isSameName(property, name))
  return inQuery(model.parameters).some(({ parameter: { name, required }, isValid }) => {
    const kind = parameterKind(name)
    const isFree = isValid(rawNumber('2')) || isValid('x')
    if (required || !isFree || kind === 'size' || kind === 'sort' || kind === 'direction') return false
    // A list by cursors that declares where it says the next one is at its end if it does not say it.
    if (kind === 'cursor') return pages === 1 && !declaresNext(model)
    return !isSearchName(name) && !isFilter(name)
  })
}

/** Whether the document declares where a response says what leads to the next page. */
const declaresNext = ({ contract, operation }: OperationModel): boolean =>
  operation.responses.some(({ status, media, headers }) => {
    if (!/^2|default/.test(status)) return false
    const schema = jsonMedia(media)?.schema
    const root = schema == null ? null : placesOf(contract.responses.document, schema)
    const names = root === null ? [] : [root, ...root.children].flatMap(({ properties }) => properties)
    return (
      headers.some(({ name }) => /^link$/i.test(name)) || names.some(name => summaryKind(name) === 'next')
    )
  })

/** The request that an URL of the next page stands for; null if what differs in it is not declared. */
const withQuery = (
  spec: RequestSpec,
  parameters: readonly ParameterModel[],
  url: string,
): RequestSpec | null => {
  const pairs = new URLSearchParams(url.slice(url.indexOf('?') + 1).split('#')[0])
  const values = [...pairs].flatMap(([name, value]) => {
    const model = inQuery(parameters).find(({ parameter }) => parameter.name === name)
    if (model === undefined) return []
    const number = /^-?\d+$/.test(value) ? rawNumber(value) : value
    return [[name, model.isValid(number) ? number : value] as const]
  })
  const next = { ...spec.parameters, ...Object.fromEntries(values) }
  return sameJson(next, spec.parameters) ? null : { ...spec, parameters: next }
}
