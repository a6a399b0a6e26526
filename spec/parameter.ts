import type { Parameter } from './contract.ts'
import {
  isArray,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  numberText,
  parseJson,
  rawNumber,
  writeJson,
} from './json.ts'
import type { SchemaPlace, TypeName } from './places.ts'
import { placeOf } from './places.ts'
import { step } from './pointer.ts'

/** Where the parts of a request lie that parameters are read from. */
export type ParameterSource = {
  readonly path: Readonly<Record<string, string>>
  /** Raw `name=value` pairs of the query, still percent-encoded. */
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly header: (name: string) => string | null
  readonly cookie: readonly (readonly [name: string, value: string])[]
}

/** Splits `a=1&b=2` (or cookies, by `; `) without decoding the values. */
export const splitPairs = (text: string, separator: string): readonly (readonly [string, string])[] =>
  text
    .split(separator)
    .filter(Boolean)
    .map(pair => {
      const at = pair.indexOf('=')
      return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at).trim()), pair.slice(at + 1)]
    })

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const delimiters: Readonly<Record<string, string>> = {
  simple: ',',
  form: ',',
  label: '.',
  matrix: ',',
  spaceDelimited: '%20',
  pipeDelimited: '|',
}

/** The value of a parameter as its style writes it, typed as its schema asks; undefined where it is not given. */
export const readParameter = (
  parameter: Parameter,
  root: SchemaPlace | null,
  source: ParameterSource,
): Json | undefined => {
  const { name, style, explode } = parameter
  const types = root?.types ?? null
  if (parameter.in === 'query' && style === 'deepObject') return readDeepObject(parameter, root, source)
  if (parameter.in === 'query' || parameter.in === 'cookie') {
    const pairs = parameter.in === 'query' ? source.query : source.cookie
    if (explode && types?.includes('object') && style === 'form')
      return readExploded(root as SchemaPlace, pairs)
    const values = pairs.filter(([key]) => key === name).map(([, value]) => value)
    if (values.length === 0) return undefined
    if (explode && types?.includes('array')) return values.map(value => typed(decode(value), itemTypes(root)))
    return readText(parameter, root, values.length > 1 ? values.join(',') : (values[0] ?? ''))
  }
  const raw = parameter.in === 'path' ? source.path[name] : source.header(name)
  if (raw === null || raw === undefined) return undefined
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : ''
  return readText(parameter, root, raw.startsWith(prefix) ? raw.slice(prefix.length) : raw)
}

const readText = (parameter: Parameter, root: SchemaPlace | null, text: string): Json => {
  if (parameter.content !== null) {
    try {
      return parseJson(decode(text))
    } catch {
      return decode(text)
    }
  }
  const types = root?.types ?? null
  const unwrap = parameter.in === 'header' ? (value: string) => value : decode
  const delimiter = delimiters[parameter.style] ?? ','
  if (types?.includes('array'))
    return text === '' ? [] : text.split(delimiter).map(item => typed(unwrap(item), itemTypes(root)))
  if (types?.includes('object')) {
    const parts = text.split(parameter.explode && parameter.style === 'matrix' ? ';' : delimiter)
    const pairs = parameter.explode
      ? parts.map(part => part.split('=', 2))
      : parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []))
    return readMembers(
      root as SchemaPlace,
      pairs.map(([key = '', value = '']) => [unwrap(key), unwrap(value)]),
    )
  }
  return typed(unwrap(text), types)
}

const readDeepObject = (
  { name }: Parameter,
  root: SchemaPlace | null,
  { query }: ParameterSource,
): Json | undefined => {
  const members = query.flatMap(([key, value]) => {
    const inner = key.startsWith(`${name}[`) && key.endsWith(']') ? key.slice(name.length + 1, -1) : null
    return inner === null ? [] : [[inner, decode(value)] as const]
  })
  return members.length === 0 || root === null ? undefined : readMembers(root, members)
}

const readExploded = (root: SchemaPlace, pairs: readonly (readonly [string, string])[]): Json | undefined => {
  const members = pairs
    .filter(([key]) => root.properties.includes(key))
    .map(([key, value]) => [key, decode(value)] as const)
  return members.length === 0 ? undefined : readMembers(root, members)
}

const readMembers = (root: SchemaPlace, members: readonly (readonly (string | undefined)[])[]): JsonObject =>
  Object.fromEntries(
    members.map(([key = '', value = '']) => [key, typed(value, placeOf(root, step('', key))?.types ?? null)]),
  )

const itemTypes = (root: SchemaPlace | null): readonly TypeName[] | null =>
  root === null ? null : (placeOf(root, '/0')?.types ?? null)

/** Text has no types: it is read as the first type that it can be. */
const typed = (text: string, types: readonly TypeName[] | null): Json => {
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

export type WrittenParameter = {
  readonly path: string | null
  readonly query: string | null
  readonly header: string | null
  readonly cookie: string | null
}

const nothing: WrittenParameter = { path: null, query: null, header: null, cookie: null }

/** Writes a value as the style of its parameter asks, percent-encoded where that is due. */
export const writeParameter = (parameter: Parameter, value: Json): WrittenParameter => {
  const { name, style, explode } = parameter
  const encode = parameter.in === 'header' ? (text: string) => text : encodeURIComponent
  const key = encode(name)
  const text = (item: Json): string => encode(scalar(item))
  const inline = (joint: string): string =>
    isArray(value)
      ? value.map(text).join(joint)
      : isObject(value)
        ? Object.entries(value)
            .map(([member, item]) => `${encode(member)}${explode ? '=' : joint}${text(item)}`)
            .join(joint)
        : text(value)
  if (parameter.content !== null) {
    const json = encode(writeJson(value))
    return {
      ...nothing,
      [parameter.in]: parameter.in === 'path' || parameter.in === 'header' ? json : `${key}=${json}`,
    }
  }
  switch (parameter.in) {
    case 'path':
      return {
        ...nothing,
        path:
          style === 'label' ? `.${inline('.')}` : style === 'matrix' ? `;${key}=${inline(',')}` : inline(','),
      }
    case 'header':
      return { ...nothing, header: inline(',') }
    case 'cookie':
      return { ...nothing, cookie: `${key}=${inline(',')}` }
    case 'query': {
      if (style === 'deepObject' && isObject(value))
        return {
          ...nothing,
          query: Object.entries(value)
            .map(([member, item]) => `${key}%5B${encode(member)}%5D=${text(item)}`)
            .join('&'),
        }
      if (explode && isArray(value))
        return { ...nothing, query: value.map(item => `${key}=${text(item)}`).join('&') }
      if (explode && isObject(value))
        return {
          ...nothing,
          query: Object.entries(value)
            .map(([member, item]) => `${encode(member)}=${text(item)}`)
            .join('&'),
        }
      return { ...nothing, query: `${key}=${inline(delimiters[style] ?? ',')}` }
    }
  }
}

const scalar = (value: Json): string =>
  typeof value === 'string'
    ? value
    : isNumber(value)
      ? numberText(value)
      : value === null
        ? ''
        : typeof value === 'boolean'
          ? String(value)
          : writeJson(value)
