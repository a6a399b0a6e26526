import type { Contract, Operation } from '../contract/contract.ts'

export type Route =
  | {
      readonly kind: 'operation'
      readonly operation: Operation
      readonly path: Readonly<Record<string, string>>
    }
  | { readonly kind: 'no-method'; readonly allow: readonly string[]; readonly operation: Operation }
  | { readonly kind: 'no-path' }

export type Router = (method: string, path: string) => Route

/**
 * Finds the operation of a request; literal segments win over templated ones, but where the best path does not have the method, the next
 * one that has it is taken, as routers of servers do. Path values stay percent-encoded. Templates that differ only in the names of their
 * parameters are one path.
 */
export const createRouter = (contract: Contract): Router => {
  const shapes = Map.groupBy(contract.operations, ({ path }) => shapeOf(path))
  const root: Fork = { literals: new Map(), patterns: new Map(), end: null }
  const ranked = [...shapes].sort(([left], [right]) => compare(left, right))
  const withoutParameters = new Map<string, Match>()
  for (const [rank, [shape, operations]] of ranked.entries()) {
    const end = { rank, operations }
    grow(root, shape, end)
    if (!shape.includes('{}')) withoutParameters.set(shape, { end, values: [] })
  }
  return (method, written) => {
    const path = plainPath(written)
    const exact = withoutParameters.get(literalText(path))
    const found = exact === undefined ? null : routeTo(exact, method)
    if (found !== null) return found
    let best = exact ?? null
    let bestWithMethod: Match | null = null
    for (const match of matches(root, path.split('/'), 0, [])) {
      if (best === null || match.end.rank < best.end.rank) best = match
      if (bestWithMethod !== null && bestWithMethod.end.rank < match.end.rank) continue
      if (operationOf(match, method) !== undefined) bestWithMethod = match
    }
    if (best === null) return { kind: 'no-path' }
    return (bestWithMethod === null ? null : routeTo(bestWithMethod, method)) ?? noMethod(best)
  }
}

type End = { readonly rank: number; readonly operations: readonly Operation[] }
type Match = { readonly end: End; readonly values: readonly string[] }

/** The segments that may follow in a path: some documents have a thousand paths. */
type Fork = {
  readonly literals: Map<string, Fork>
  readonly patterns: Map<string, { readonly valuesOf: ReturnType<typeof valuesIn>; readonly next: Fork }>
  end: End | null
}

/** Fewer segments that take anything first (`{id}.{type}` is before `{id}`), then fewer parameters, then more literal text. */
const compare = (left: string, right: string): number =>
  openSegments(left) - openSegments(right) ||
  left.split('{}').length - right.split('{}').length ||
  right.length - left.length ||
  (left < right ? -1 : 1)

const openSegments = (shape: string): number => shape.split('/').filter(segment => segment === '{}').length

const grow = (root: Fork, shape: string, end: End): void => {
  let at = root
  for (const segment of shape.split('/')) at = nextOf(at, segment)
  at.end = end
}

const nextOf = ({ literals, patterns }: Fork, segment: string): Fork => {
  const known = literals.get(segment) ?? patterns.get(segment)?.next
  if (known !== undefined) return known
  const next: Fork = { literals: new Map(), patterns: new Map(), end: null }
  if (segment.includes('{}')) {
    patterns.set(segment, { valuesOf: valuesIn(segment, '.+'), next })
  } else literals.set(segment, next)
  return next
}

function* matches(
  fork: Fork,
  segments: readonly string[],
  index: number,
  values: readonly string[],
): Generator<Match> {
  const segment = segments[index]
  if (segment === undefined) {
    if (fork.end !== null) yield { end: fork.end, values }
    return
  }
  const literal = fork.literals.get(literalText(segment))
  if (literal !== undefined) yield* matches(literal, segments, index + 1, values)
  for (const { valuesOf, next } of fork.patterns.values()) {
    const found = valuesOf(segment)
    if (found !== null) yield* matches(next, segments, index + 1, [...values, ...found])
  }
}

const operationOf = ({ end: { operations } }: Match, method: string): Operation | undefined =>
  operations.find(candidate => candidate.method === method)

const routeTo = (match: Match, method: string): Route | null => {
  const operation = operationOf(match, method)
  return operation === undefined
    ? null
    : { kind: 'operation', operation, path: namedValues(operation.path, match.values) }
}

const noMethod = ({ end: { operations } }: Match): Route => ({
  kind: 'no-method',
  allow: operations.map(candidate => candidate.method),
  operation: operations[0] as Operation,
})

const parameter = /\{([^{}]+)\}/g

/** The template with its parameters as `{}`, in one spelling. */
const shapeOf = (template: string): string =>
  template
    .replace(parameter, '{}')
    .split('{}')
    .map(literal => literalText(encodedTemplate(literal)))
    .join('{}')

/**
 * Gives the values of a text that fits a shape, the first one as long as can be; null if it does not fit. One expression for all would
 * not take linear time: each value can begin and end at many places. `value`: how long one is.
 */
const valuesIn = (shape: string, value: '.+' | '.*'): ((text: string) => readonly string[] | null) => {
  const [first = '', ...others] = shape.split('{}').map(literalPattern)
  const last = others.pop()
  const around = new RegExp(last === undefined ? `^${first}$` : `^${first}(${value})${last}$`, 's')
  const between = others.reverse().map(literal => new RegExp(`^(${value})${literal}(${value})$`, 's'))
  return text => {
    let found = around.exec(text)
    const values: string[] = []
    for (const pattern of between) {
      found = found === null ? null : pattern.exec(found[1] ?? '')
      values.unshift(found?.[2] ?? '')
    }
    return found === null ? null : [...found.slice(1, 2), ...values]
  }
}

const namedValues = (template: string, values: readonly string[]): Readonly<Record<string, string>> =>
  values.length === 0
    ? {}
    : Object.fromEntries(
        [...template.matchAll(parameter)].map(([, name = ''], index) => [name, values[index] ?? '']),
      )

/** The values that a path has for the parameters of its template, percent-encoded; empty texts if it does not fit. */
export const pathValues = (template: string, path: string): Readonly<Record<string, string>> => {
  if (!template.includes('{')) return {}
  const segments = plainPath(path).split('/')
  const shapes = shapeOf(template).split('/')
  const found = shapes.map((shape, index) => valuesIn(shape, '.*')(segments[index] ?? ''))
  const fits = shapes.length === segments.length && !found.includes(null)
  const values = fits ? found.flatMap(each => each ?? []) : []
  return namedValues(
    template,
    [...template.matchAll(parameter)].map((_, index) => values[index] ?? ''),
  )
}

/** A declared path is the text of a URI template: what cannot stand in a URI as it is written is sent percent-encoded (RFC 3987, 3.1). */

const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Characters that stand in a path as they are, and mean something there or not (RFC 3986, 3.3): an escape of one is the same to a server. */
const delimiters = "!$&'()*+,;=:@"

// Without the flag i: with it, the letters of `\w` include two beyond ASCII, the long s and the sign for kelvin.
const unusual = /%(?![0-9a-fA-F]{2})|[^\w\-.~!$&'()*+,;=:@/%?#]/gu

/** A template as it is sent, with its parameters still to be filled in: `/Wörter/{id}` is `/W%C3%B6rter/{id}`. */
export const encodedTemplate = (template: string): string =>
  template
    .split(/(\{[^{}]+\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(unusual, encodeCharacter)))
    .join('')

const encodeCharacter = (char: string): string =>
  char.isWellFormed() ? encodeURIComponent(char) : encodeURIComponent('\ufffd')

/**
 * A path with one spelling of what is the same in all of them (RFC 3986, 6.2.2): escapes of characters that need none mean the characters,
 * all others are in capitals, and what a client should have escaped is.
 */
const plainPath = (path: string): string =>
  /[%"<>^`|\\{}\s]/.test(path)
    ? path
        .replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, escaped => decodeURIComponent(escaped))
        .replace(/%[0-9a-f]{2}/gi, escaped => escaped.toUpperCase())
        .replace(/["<>^`|\\{}\s]/g, hex)
    : path

/** The text of a path where it has no values: there, an escaped delimiter is as good as one. */
const literalText = (path: string): string => {
  const plain = plainPath(path)
  return plain.includes('%')
    ? plain.replace(/%(?:2[1467-9A-C]|3[ABD]|40)/g, escaped => decodeURIComponent(escaped))
    : plain
}

/** A pattern of a literal part of a template, which also takes its delimiters escaped. */
const literalPattern = (literal: string): string =>
  [...literalText(encodedTemplate(literal))]
    .map(char =>
      delimiters.includes(char) ? `(?:${RegExp.escape(char)}|${hex(char)})` : RegExp.escape(char),
    )
    .join('')
