/** What servers may read in a request: written without the product's own reader, from the specifications alone. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Combination, name, types } from './combinations.ts'

/** What is sent for a value: the raw text of a path segment or a header, or the pairs of a query, cookie, form or the parts. */
export type Sent =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [string, string])[] }

export type Readings = {
  /** Whether a server that reads by the specifications has to take it. */
  readonly isDue: boolean
  /** Whether a server may take it, with a reading that nothing forbids. */
  readonly isPossible: boolean
}

const ajv = new Ajv2020({ strict: false })
for (const type of types) ajv.addSchema(type.schema, `#/components/schemas/${type.name}`)
const compiled = new WeakMap<object, (value: unknown) => boolean>()

const isValid = (schema: object, value: unknown): boolean => {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(value) === true
}

/** As a text, and as what it spells. */
const spelled = (text: string): readonly unknown[] => [
  text,
  ...(/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? [Number(text)] : []),
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
]

const last = (values: readonly unknown[]): unknown => values.at(-1)

/** Of several values of what is no list, servers take the last one or the first. */
const ends = (texts: readonly string[]): readonly string[] => [...texts.slice(-1), ...texts.slice(0, 1)]

type Pairs = readonly (readonly [string, string])[]

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const readingsOf = ({ place, schema, shapes, required }: Combination, sent: Sent): Readings => {
  const holds = (value: unknown): boolean => isValid(schema, value)
  const isScalar = (text: string): boolean => shapes.includes('scalar') && spelled(text).some(holds)
  const isList = (items: readonly string[]): boolean =>
    shapes.includes('array') && holds(items.map(item => last(spelled(item))))
  const isObject = (members: Pairs): boolean =>
    shapes.includes('object') &&
    holds(Object.fromEntries(members.map(([key, text]) => [key, last(spelled(text))])))
  const isNull = (text: string): boolean => shapes.includes('null') && text === ''
  const isSpread = place.explode && ['query', 'cookie', 'form', 'multipart'].includes(place.in)
  const { in: part, style, explode } = place
  const delimiter =
    style === 'spaceDelimited'
      ? /%20|\+/
      : style === 'pipeDelimited'
        ? /\||%7C/i
        : style === 'label' && explode
          ? /\./
          : style === 'matrix' && explode
            ? /;/
            : /,/
  const decode = part === 'header' || part === 'response' ? (text: string) => text.trim() : decoded
  const inOne = (text: string): Readings => {
    const parts = text === '' ? [] : text.split(delimiter)
    const members: Pairs = explode
      ? parts.map(each => {
          const [key = '', ...rest] = each.split('=')
          return [decode(key), decode(rest.join('='))]
        })
      : parts.flatMap((each, at) =>
          at % 2 === 0 ? [[decode(each), decode(parts[at + 1] ?? '')] as const] : [],
        )
    const isNamed = explode ? parts.every(each => each.includes('=')) : parts.length % 2 === 0
    const isDue =
      isScalar(decode(text)) ||
      (parts.length > 0 &&
        (isList(parts.map(decode)) || (isNamed && members.length > 0 && isObject(members))))
    return {
      isDue,
      isPossible: isDue || isNull(text) || isList(parts.map(decode)) || (isNamed && isObject(members)),
    }
  }
  const absent: Readings = {
    isDue: !required,
    isPossible: !required || (isSpread && (isList([]) || isObject([]))),
  }
  if (sent.kind === 'text') {
    if (sent.text === null) return absent
    const inner =
      style === 'label'
        ? sent.text.replace(/^\./, '')
        : style === 'matrix'
          ? sent.text
              .slice(1)
              .split(';')
              .map(each => each.replace(new RegExp(`^${name}(=|$)`), ''))
              .join(';')
          : sent.text
    return inOne(inner)
  }
  const own = sent.pairs.filter(([key]) => key === name).map(([, text]) => text)
  if (style === 'deepObject') {
    const members = sent.pairs.flatMap(([key, text]) => {
      const inside = /^p\[(\w+)\]$/.exec(key)?.[1]
      return inside === undefined ? [] : [[inside, decode(text)] as const]
    })
    if (members.length > 0) return { isDue: isObject(members), isPossible: isObject(members) }
    if (own.length === 0) return absent
    // A text under the plain name is another parameter, unless the schema asks for one.
    if (!shapes.includes('scalar')) return absent
    const isPossible = ends(own.map(decode)).some(isScalar)
    return { isDue: isPossible && own.length === 1, isPossible }
  }
  if (!explode) {
    if (own.length === 0) return absent
    const whole = inOne(own.join(','))
    const isAny = ends(own.map(decode)).some(text => isScalar(text) || isNull(text))
    return { isDue: whole.isDue && own.length === 1, isPossible: whole.isPossible || isAny }
  }
  const members = sent.pairs
    .filter(([key]) => key === 'n' || key === 'b')
    .map(([key, text]) => [key, decode(text)] as const)
  const isJson = shapes.includes('object') && (part === 'form' || part === 'multipart')
  const texts = own.map(decode)
  if (isJson) {
    if (own.length === 0) return { isDue: !required, isPossible: !required }
    const value = ends(texts)
      .map(json)
      .find(each => each !== undefined && holds(each))
    return { isDue: own.length === 1 && value !== undefined, isPossible: value !== undefined }
  }
  const hasMembers = shapes.includes('object') && members.length > 0
  // The name of an object that is spread over its members is that of nothing.
  const isNamed = shapes.some(shape => shape !== 'object')
  if ((own.length === 0 || !isNamed) && !hasMembers) return absent
  const items = part === 'cookie' ? own.flatMap(text => text.split(',')).map(decode) : texts
  const isOneEmpty = part !== 'multipart' && items.length === 1 && items[0] === ''
  const isDueList = own.length > 0 && isList(items) && !(part === 'cookie' && own.length > 1) && !isOneEmpty
  return {
    isDue: (hasMembers && isObject(members)) || isDueList || (own.length === 1 && isScalar(texts[0] ?? '')),
    isPossible:
      (hasMembers && isObject(members)) ||
      (own.length > 0 && isList(items)) ||
      (isOneEmpty && isList([])) ||
      ends(texts).some(text => isScalar(text) || isNull(text)),
  }
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
