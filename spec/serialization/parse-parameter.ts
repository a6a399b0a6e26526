import type { Parameter } from '../contract/contract.ts'
import { type Json, type JsonObject, parseJson, rawNumber } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import type { SchemaPlace, TypeName } from '../schema/locations.ts'
import { placeOf } from '../schema/locations.ts'
import { readDeep } from './deep-object.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

/** The parts of a request that have parameters. */
export type ParameterSource = {
  readonly path: Readonly<Record<string, string>>
  /** `name=value` pairs of the query; the values still percent-encoded. */
  readonly query: Pairs
  /** All lines of a header, joined by commas. */
  readonly header: (name: string) => string | null
  readonly cookie: Pairs
  /** The names of all parameters in query and cookies: others belong to an object that may have any property. */
  readonly names: ReadonlySet<string>
}

type Text = (text: string) => string

/** The text without percent-encoding; one that cannot be decoded stays as it is. */
export const percent: Text = text => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
// A plus means a space only in a query.
const form: Text = text => percent(text.replaceAll('+', ' '))
const asIs: Text = text => text.trim()

/** Splits the query `a=1&b=2`; the values stay percent-encoded. */
export const queryPairs = (query: string): Pairs => splitPairs(query, '&', form)

/** Splits the Cookie header `a=1; b=2`; the values stay as they are. Null: there is no such header. */
export const cookiePairs = (cookies: string | null): Pairs =>
  cookies === null ? [] : splitPairs(cookies, ';', percent)

const splitPairs = (text: string, separator: string, decode: Text): Pairs =>
  text
    .split(separator)
    .map(pair => pair.trim())
    .filter(Boolean)
    .map(pair => splitPair(pair, decode))

const splitPair = (pair: string, decode: Text): readonly [string, string] => {
  const at = pair.indexOf('=')
  return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), pair.slice(at + 1)]
}

/** How a value with several parts is written as one text. */
type PartEncoding = { readonly delimiter: RegExp; readonly explode: boolean; readonly decode: Text }

const partEncoding = ({ in: part, style, explode }: Parameter): PartEncoding => ({
  delimiter:
    style === 'spaceDelimited'
      ? /%20|\+/
      : style === 'pipeDelimited'
        ? /\||%7C/i
        : style === 'label' && explode
          ? /\./
          : style === 'matrix' && explode
            ? /;/
            : /,/,
  explode,
  decode: part === 'header' || style === 'cookie' ? asIs : part === 'query' ? form : percent,
})

/** The value of a parameter, parsed by its style and typed by its schema; undefined if there is none. */
export const readParameter = (
  parameter: Parameter,
  root: SchemaPlace | null,
  source: ParameterSource,
): Json | undefined => {
  switch (parameter.in) {
    case 'query':
      return readPairs(parameter, root, source.query, source.names)
    case 'cookie':
      return readPairs(parameter, root, source.cookie, source.names)
    case 'header': {
      const text = source.header(parameter.name)
      return text === null ? undefined : readText(parameter, root, text)
    }
    case 'path': {
      const text = source.path[parameter.name]
      return text === undefined ? undefined : readText(parameter, root, withoutPrefix(parameter, text))
    }
  }
}

/** The value of a header of a response or of a part of a body, which is declared like a header parameter. */
export const readHeader = (parameter: Parameter, root: SchemaPlace | null, text: string): Json =>
  readText(parameter, root, text)

// A label begins with a dot, a matrix parameter with its name, except for the parts of an exploded object.
const withoutPrefix = ({ name, style, explode }: Parameter, text: string): string => {
  if (style === 'label') return text.replace(/^\./, '')
  if (style !== 'matrix') return text
  const inner = text.replace(/^;/, '')
  if (explode && /[=;]/.test(inner) && !inner.startsWith(`${name}=`)) return inner
  const encoded = encodeURIComponent(name)
  return explode
    ? inner
        .split(';')
        .map(part => part.replace(new RegExp(`^(${RegExp.escape(name)}|${RegExp.escape(encoded)})(=|$)`), ''))
        .join(';')
    : inner.replace(new RegExp(`^(${RegExp.escape(name)}|${RegExp.escape(encoded)})(=|$)`), '')
}

const readPairs = (
  parameter: Parameter,
  root: SchemaPlace | null,
  pairs: Pairs,
  names: ReadonlySet<string>,
): Json | undefined => {
  const { name, style, explode, content } = parameter
  const { decode } = partEncoding(parameter)
  const types = root?.readAs ?? null
  if (style === 'deepObject' && root !== null)
    return readDeep(name, root, pairs, (text, place) => typed(decode(text), place?.readAs ?? null))
  if (
    explode &&
    content === null &&
    (style === 'form' || style === 'cookie') &&
    types?.includes('object') &&
    root !== null
  ) {
    const isMap = root.children.some(({ pattern }) => pattern === '/*')
    const members = pairs.filter(
      ([key]) =>
        root.properties.includes(key) ||
        root.alternativeProperties.includes(key) ||
        (isMap && !names.has(key)),
    )
    return members.length === 0
      ? undefined
      : readMembers(
          root,
          members.map(([key, value]) => [key, decode(value)]),
        )
  }
  const values = pairs.filter(([key]) => key === name).map(([, value]) => value)
  if (values.length === 0) return undefined
  if (explode && content === null && types?.includes('array')) {
    // A cookie has its name only once, so commas separate the items of a list.
    const items = parameter.in === 'cookie' ? values.flatMap(value => value.split(',')) : values
    return items.map(value => typed(decode(value), itemTypes(root)))
  }
  return readText(parameter, root, values.join(','))
}

const readText = (parameter: Parameter, root: SchemaPlace | null, text: string): Json => {
  const { delimiter, explode, decode } = partEncoding(parameter)
  if (parameter.content !== null) {
    try {
      return parseJson(decode(text))
    } catch {
      return decode(text)
    }
  }
  const types = root?.readAs ?? null
  if (root !== null && types?.includes('array'))
    return text === '' ? [] : text.split(delimiter).map(item => typed(decode(item), itemTypes(root)))
  if (root !== null && types?.includes('object')) {
    const parts = text === '' ? [] : text.split(delimiter)
    const members = explode
      ? parts.map(part => splitPair(part, decode))
      : parts.flatMap((part, index) =>
          index % 2 === 0 ? [[decode(part), parts[index + 1] ?? ''] as const] : [],
        )
    return readMembers(
      root,
      members.map(([key, value]) => [key, decode(value)]),
    )
  }
  return typed(decode(text), types)
}

const readMembers = (root: SchemaPlace, members: Pairs): JsonObject =>
  Object.fromEntries(
    members.map(([key, value]) => [key, typed(value, placeOf(root, step('', key))?.readAs ?? null)]),
  )

const itemTypes = (root: SchemaPlace | null): readonly TypeName[] | null =>
  root === null ? null : (placeOf(root, '/0')?.readAs ?? null)

/** Text has no type: it is parsed as the first type that fits. */
export const typed = (text: string, types: readonly TypeName[] | null): Json => {
  if (types === null) return text
  if (
    (types.includes('integer') || types.includes('number')) &&
    /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
  )
    return rawNumber(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('null') && text === '') return null
  return text
}
