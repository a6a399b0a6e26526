import type { Parameter } from '../contract/contract.ts'
import { type Json, parseJson } from '../json/json.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import { typesAt, typesIn, variantsOf } from '../schema/variants.ts'
import { readDeep } from './deep-object.ts'
import { anyOf, emptyAt, fitting, readFound } from './read-text.ts'

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

/** The value of a parameter, parsed by its style and read by the alternative of its schema that it fits; undefined if there is none. */
export const readParameter = (
  parameter: Parameter,
  root: SchemaPlace | null,
  source: ParameterSource,
): Json | undefined => {
  const value = readGiven(parameter, root, source)
  return value === undefined ? absentValue(parameter, root) : value
}

/**
 * The value that a required parameter has if nothing comes for it: of an exploded list or object without members nothing is written (RFC
 * 6570, 2.3), so that an empty one and none at all look alike. Undefined: what does not come is missing.
 */
export const absentValue = (
  { required, explode, content, in: part }: Parameter,
  root: SchemaPlace | null,
): Json | undefined =>
  required && explode && content === null && root !== null && (part === 'query' || part === 'cookie')
    ? emptyAt(root)
    : undefined

const readGiven = (
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
  const { name, explode, content, allowEmpty } = parameter
  const values = pairs.filter(([key]) => key === name).map(([, value]) => value)
  // Only an object, and what is in brackets, may come under other names.
  if (values.length === 0 && (content !== null || root === null || !mayBeSpread(parameter, root)))
    return undefined
  const { decode } = partEncoding(parameter)
  if (allowEmpty === true && values.length > 0 && values.every(value => value === '')) return ''
  const joined = values.length === 0 ? undefined : values.join(',')
  if (content !== null) {
    const readings = anyOf(values).map(value => readJsonText(decode(value)))
    return root === null || readings.length === 0 ? readings[0] : fitting(root, readings)
  }
  if (root === null) return joined === undefined ? undefined : readText(parameter, root, joined)
  if (parameter.style === 'deepObject') {
    const deep = readDeep(name, root, pairs, decode)
    if (deep !== undefined || !mayBeText(root)) return deep
    return readFound(root, {
      lists: () => [],
      members: () => undefined,
      texts: () => anyOf(values).map(decode),
      whole: undefined,
    })
  }
  if (!explode) return joined === undefined ? undefined : readText(parameter, root, joined, values)
  const own = memberNames(root)
  return readFound(root, {
    // A cookie has its name only once, so commas separate the items of a list.
    lists: () =>
      countedLists(
        (parameter.in === 'cookie' ? values.flatMap(value => value.split(',')) : values).map(decode),
      ),
    members: () => {
      const members = pairs.filter(([key]) => own.declared.has(key) || (own.isOpen && !names.has(key)))
      return members.length === 0 ? undefined : members.map(([key, value]) => [key, decode(value)])
    },
    texts: () => anyOf(values).map(decode),
    // The name of an object that is spread over its members is that of nothing.
    whole: joined === undefined || typesIn(root)?.join() === 'object' ? undefined : decode(joined),
  })
}

/** Nothing; one empty text, and no item at all, are written alike. */
const countedLists = (texts: readonly string[]): readonly (readonly string[])[] =>
  texts.length === 0 ? [] : texts.join() === '' ? [texts, []] : [texts]

const mayBeSpread = ({ style }: Parameter, root: SchemaPlace): boolean =>
  style === 'deepObject' || typesIn(root)?.includes('object') !== false

const mayBeText = (root: SchemaPlace): boolean =>
  typesIn(root)?.some(type => type !== 'array' && type !== 'object' && type !== 'null') === true

/** The names that belong to an object which is spread over its parameters: those of all its alternatives. `isOpen`: and any other. */
const memberNames = (root: SchemaPlace): MemberNames => {
  const known = ownNames.get(root)
  if (known !== undefined) return known
  const found = {
    declared: new Set(variantsOf(root).flatMap(({ properties }) => properties)),
    isOpen: variantsOf(root).some(
      variant =>
        typesAt(variant)?.includes('object') &&
        variant.keywords.some(
          ({ keyword, value }) =>
            keyword === 'patternProperties' ||
            (keyword === 'additionalProperties' && typeof value === 'object'),
        ),
    ),
  }
  ownNames.set(root, found)
  return found
}

type MemberNames = { readonly declared: ReadonlySet<string>; readonly isOpen: boolean }

const ownNames = new WeakMap<SchemaPlace, MemberNames>()

/** JSON, or else a text. */
const readJsonText = (text: string): Json => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** `values`: the texts that came under the name, one after the other in `text`. */
const readText = (
  parameter: Parameter,
  root: SchemaPlace | null,
  text: string,
  values: readonly string[] = [text],
): Json => {
  const { delimiter, explode, decode } = partEncoding(parameter)
  if (parameter.content !== null) return readJsonText(decode(text))
  if (root === null) return decode(text)
  const parts = text === '' ? [] : text.split(delimiter)
  // Without names it is no object.
  const isNamed = explode ? parts.every(part => part.includes('=')) : parts.length % 2 === 0
  const members = (): Pairs =>
    explode
      ? parts.map(part => splitPair(part, decode))
      : parts.flatMap((part, index) =>
          index % 2 === 0 ? [[decode(part), parts[index + 1] ?? ''] as const] : [],
        )
  return readFound(root, {
    lists: () => [parts.map(decode)],
    members: () => (isNamed ? members().map(([key, value]) => [key, decode(value)]) : undefined),
    texts: () => anyOf(values).map(decode),
    whole: decode(text),
  })
}
