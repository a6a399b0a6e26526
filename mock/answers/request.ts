import { header, isObject, type Json, type Operation, queryPairs, writeJson } from '../../spec/index.ts'
import type { Context } from '../engine/context.ts'
import { clientHeader, type JudgedRequest } from '../engine/request.ts'

/** Where a request has values by name. */
export type ValuePart = 'path' | 'query' | 'header'

/** A request as a function that answers it sees it. Numbers are as JavaScript has them. */
export type AnswerRequest = {
  readonly operation: string
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** The values of the parameters, by the types that the contract gives them; undeclared ones are texts. */
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: there is none, or it cannot be read. */
  readonly body: unknown
  /** The client that the request names with `Plantstore-Client`; null: none. */
  readonly client: string | null
}

export const answerRequest = (context: Context, judged: JudgedRequest): AnswerRequest => {
  const { operation, request } = judged
  const valuesOf = (part: ValuePart, names: Iterable<string>): Readonly<Record<string, unknown>> =>
    Object.fromEntries([...new Set(names)].map(name => [name, plain(valueIn(context, judged, part, name))]))
  const queryNames = operation.parameters
    .filter(each => isSent(judged, each, 'query'))
    .map(({ name }) => name)
  return {
    operation: operation.id,
    method: request.method,
    target: request.target,
    path: valuesOf('path', Object.keys(pathOf(context))),
    query: valuesOf('query', [...queryNames, ...undeclaredNames(operation, request.target)]),
    headers: headersOf(request.headers),
    body: plain(judged.body),
    client: header(context.received.headers, clientHeader),
  }
}

/** The value that a request has by this name; undefined: it has none. */
export const valueIn = (
  context: Context,
  judged: JudgedRequest,
  part: ValuePart,
  name: string,
): Json | undefined => {
  const { operation, parameters, request } = judged
  const isNamed = (other: string): boolean =>
    part === 'header' ? other.toLowerCase() === name.toLowerCase() : other === name
  const declared = operation.parameters.find(each => each.in === part && isNamed(each.name))
  // The values of parameters of one name in two parts of a request cannot be told apart.
  const isOnly =
    declared !== undefined && operation.parameters.filter(each => each.name === declared.name).length === 1
  if (isOnly) return parameters[declared.name]
  if (part === 'header') return header(request.headers, name.toLowerCase()) ?? undefined
  if (part === 'path') return decoded(pathOf(context)[name])
  const values = pairsOf(request.target).flatMap(([key, value]) => (key === name ? [value] : []))
  return values.length > 1 ? values : values[0]
}

const pathOf = ({ route }: Context): Readonly<Record<string, string>> =>
  route?.kind === 'operation' ? route.path : {}

const pairsOf = (target: string): readonly (readonly [string, string])[] => {
  const mark = target.indexOf('?')
  return mark < 0 ? [] : queryPairs(target.slice(mark + 1).split('#')[0] ?? '')
}

const undeclaredNames = ({ parameters }: Operation, target: string): readonly string[] =>
  pairsOf(target)
    .map(([name]) => name)
    // Of `filter[kind]=x`, the parameter `filter` may be declared.
    .filter(name => !parameters.some(each => each.in === 'query' && name.split('[')[0] === each.name))

const isSent = (
  { parameters }: JudgedRequest,
  { name, in: part }: Operation['parameters'][number],
  wanted: ValuePart,
): boolean => part === wanted && parameters[name] !== undefined

const headersOf = (headers: JudgedRequest['request']['headers']): Readonly<Record<string, string>> => {
  const lines: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    lines[key] = lines[key] === undefined ? value : `${lines[key]}, ${value}`
  }
  return lines
}

const decoded = (text: string | undefined): string | undefined => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A copy without numbers that only keep their text. */
const plain = (value: Json | undefined): unknown =>
  value === undefined || typeof value === 'string' ? value : JSON.parse(writeJson(value))

/** Whether a value is the expected one: of objects, only the expected properties count. */
export const isLike = (
  expected: Json,
  actual: Json | undefined,
  same: (one: Json, other: Json) => boolean,
): boolean => {
  if (actual === undefined) return false
  if (isObject(expected))
    return (
      isObject(actual) &&
      Object.entries(expected).every(([name, value]) =>
        isLike(value, Object.hasOwn(actual, name) ? actual[name] : undefined, same),
      )
    )
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value: Json, index) => isLike(value, actual[index], same))
    )
  return same(expected, actual)
}

/** The last requests of an answer. */
export type RequestLog = {
  readonly requests: readonly AnswerRequest[]
  /** `size`: of the body, in bytes. */
  readonly add: (request: AnswerRequest, size: number) => void
}

const maxRequests = 500
/** Of all bodies together; the last request is kept however large it is. */
const maxBytes = 8 * 1024 * 1024

export const createRequestLog = (): RequestLog => {
  const requests: AnswerRequest[] = []
  const sizes: number[] = []
  let bytes = 0
  return {
    requests,
    add: (request, size) => {
      requests.push(request)
      sizes.push(size)
      bytes += size
      while (requests.length > maxRequests || (bytes > maxBytes && requests.length > 1)) {
        requests.shift()
        bytes -= sizes.shift() ?? 0
      }
    },
  }
}
