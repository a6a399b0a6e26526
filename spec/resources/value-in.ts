import type { Operation } from '../contract/contract.ts'
import { type HttpRequest, type HttpResponse, header } from '../http/exchange.ts'
import { isArray, isNumber, isObject, type Json, readJson, writeJson } from '../json/json.ts'
import { steps, valueAt } from '../json/pointer.ts'
import { responseFor } from '../routes/response-for.ts'
import { pathValues } from '../routes/route.ts'
import { decodedText } from '../text/characters.ts'
import { isSameName, singular } from './names.ts'
import { type Resource, wordsOf } from './resource.ts'

export type Created = {
  readonly operation: Operation
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** The body that was sent; undefined if there was none. */
  readonly sent: Json | undefined
}

/**
 * The value by which a resource is asked for that an operation has created: as a link says, else a property of the response, the last
 * segment of its Location, the whole response, or a property of the request. Undefined if none of them has it.
 */
export const nameOfCreated = (resource: Resource, created: Created): Json | undefined => {
  const body = bodyOf(created.response)
  const linked = linkedName(resource, created, body)
  return (
    (linked === undefined ? undefined : lastOfPath(resource, linked)) ??
    propertyIn(resource, body) ??
    locatedName(resource, created.response) ??
    wholeName(created.response) ??
    propertyIn(resource, created.sent)
  )
}

/** A body that is nothing but one word, such as `1a2b-3c` as text or `"1a2b-3c"` and `17` as JSON; undefined for any other. */
const wholeName = ({ body }: HttpResponse): Json | undefined => {
  if (body.length === 0 || body.length > mostBytes) return undefined
  const reading = readJson(body)
  const value = reading.ok ? reading.value : Buffer.from(body).toString('utf8').trim()
  return isNumber(value) || (typeof value === 'string' && /^[\w.~:@+-]+$/.test(value)) ? value : undefined
}

/** Bytes of a body that may be a name. */
const mostBytes = 200

/** Whether that value is only a guess: of a property that neither a link nor a Location confirms, nor the name of the parameter. */
export const isGuessedName = (resource: Resource, created: Created): boolean => {
  const body = bodyOf(created.response)
  if (linkedName(resource, created, body) !== undefined) return false
  const located = locatedName(resource, created.response)
  const shown = propertyIn(resource, body)
  if (located !== undefined && (shown === undefined || textOf(shown) === located)) return false
  if (shown === undefined && wholeName(created.response) !== undefined) return true
  const instance = unwrapped((shown === undefined ? created.sent : body) ?? null, resource.names)
  const key = instance === undefined ? null : namingProperty(instance, resource.names)
  return key !== null && !isSameName(key, resource.names[0] ?? '')
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))

/** The value by which a resource is asked for that is given as JSON, such as an item of a list. */
export const propertyIn = (resource: Resource, value: Json | undefined): Json | undefined => {
  const instance = value === undefined ? undefined : unwrapped(value, resource.names)
  const name = instance === undefined ? undefined : namedIn(instance, resource.names)
  return name === undefined ? undefined : lastOfPath(resource, name)
}

/** `1` for `users/1` at `/v1/users/{name}`: some APIs name what they have by the end of its path, or by its URL. Any other name stays as it is. */
const lastOfPath = ({ path }: Resource, name: Json): Json => {
  if (typeof name !== 'string' || !name.includes('/')) return name
  const segments = pathOfUrl(name)
  const declared = path.split('/').filter(Boolean)
  const count = Math.min(segments.length, declared.length)
  const end = declared.slice(-count)
  const isOfPath =
    end.some(segment => !segment.startsWith('{')) &&
    end.every((segment, index) => segment.startsWith('{') || segment === segments.at(index - count))
  return isOfPath ? decodedText(segments.at(-1) ?? name) : name
}

/** The segments in the path of a URL, or of what is a path already. */
const pathOfUrl = (text: string): readonly string[] =>
  (text.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').split(/[?#]/)[0] ?? '').split('/').filter(Boolean)

/** What tells an owner or a group apart in a path, the likeliest first. */
const ownerNames = ['login', 'username', 'slug', 'name', 'key', 'id']

/**
 * The names of what a resource is below, as it shows them itself: `ann` for `/repos/{owner}/{repo}` in `{"name": "a", "owner": {"login": "ann"}}`. Null
 * if it does not show them all. `given`: names that the path has of which it was answered, by parameter.
 */
export const outerNamesIn = (
  { parent }: Resource,
  value: Json | undefined,
  given: (parameter: string) => Json | undefined,
): readonly Json[] | null => {
  if (parent === null) return []
  const outer = outerNamesIn(parent, value, given)
  const parameter = parent.names[0] ?? ''
  const key = value === undefined ? null : propertyFor(value, [parameter])
  const member = key === null || value === undefined || !isObject(value) ? undefined : value[key]
  const name =
    given(parameter) ??
    (canBeName(member) ? member : member === undefined ? undefined : namedIn(member, ownerNames))
  return outer === null || name === undefined ? null : [...outer, name]
}

/** Properties in which many APIs have the resource, beside others that are about it. */
const wrappers = /^(?:data|result|item|object|entity|payload|resource|value)$/i

/**
 * The resource itself: in many APIs the one object in the body or the one item of a list, or that in `data`, or in a property with the noun for
 * it.
 */
export const unwrapped = (value: Json, names: readonly string[]): Json | undefined => {
  if (isArray(value) && value.length === 1 && value[0] !== undefined) return unwrapped(value[0], names)
  if (!isObject(value)) return undefined
  if (namedIn(value, names) !== undefined) return value
  const isWrapper = (key: string): boolean =>
    wrappers.test(key) || names.some(name => isSameName(`${key}Id`, name))
  const inner = Object.entries(value).filter(([, member]) => isObject(member))
  const [found, other] = inner.filter(
    ([key, member]) => namedIn(member, names) !== undefined && (inner.length === 1 || isWrapper(key)),
  )
  return other === undefined ? found?.[1] : undefined
}

/** The name of the property that holds the value; null if there is none. */
export const namingProperty = (value: Json, names: readonly string[]): string | null =>
  isObject(value)
    ? propertyFor(Object.fromEntries(Object.entries(value).filter(([, member]) => canBeName(member))), names)
    : null

/** The property of a body that is for the value, whatever it holds; null if there is none. */
export const propertyFor = (value: Json, names: readonly string[]): string | null => {
  if (!isObject(value)) return null
  for (const name of names) {
    const key = Object.keys(value).find(candidate => isSameName(candidate, name))
    if (key !== undefined) return key
  }
  return null
}

const namedIn = (value: Json, names: readonly string[]): Json | undefined => {
  const key = namingProperty(value, names)
  return key === null || !isObject(value) ? undefined : value[key]
}

/** What can stand in a path: half a surrogate pair has no UTF-8. */
export const canBeName = (value: Json | undefined): boolean =>
  (typeof value === 'string' && value !== '' && value.isWellFormed()) ||
  (value !== undefined && isNumber(value))

const bodyOf = ({ body }: HttpResponse): Json | undefined => {
  const reading = readJson(body)
  return reading.ok ? reading.value : undefined
}

const linkedName = (resource: Resource, created: Created, body: Json | undefined): Json | undefined => {
  const { operation, response } = created
  const declared = responseFor(operation, response.status)?.status
  const link = resource.links.get(operation.id)?.find(({ status }) => status === declared)
  const found = link === undefined ? undefined : evaluated(link.expression, created, body)
  return found !== undefined && canBeName(found) ? found : undefined
}

/** The value of a runtime expression; undefined if there is none, or if the expression is of another kind. */
const evaluated = (
  expression: string,
  { request, response, sent }: Created,
  body: Json | undefined,
): Json | undefined => {
  const [, part, source, rest] =
    /^\{?\$(request|response)\.(body|header|query)[#.]?([^}]*)\}?$/.exec(expression) ?? []
  const message = part === 'request' ? request : response
  if (source === 'header') return header(message.headers, (rest ?? '').toLowerCase()) ?? undefined
  if (source === 'query')
    return new URLSearchParams(request.target.split('?')[1]).get(rest ?? '') ?? undefined
  if (source !== 'body') return undefined
  return valueAt(part === 'request' ? sent : body, rest ?? '') as Json | undefined
}

/** The last name in the Location of a response, if that is the path of such a resource. */
export const locatedName = ({ path }: Resource, { headers }: HttpResponse): Json | undefined => {
  const location = header(headers, 'location')
  if (location === null) return undefined
  const below = steps(path).length
  // The base URL may have a path of its own.
  const end = `/${pathOfUrl(location).slice(-below).join('/')}`
  const value = Object.values(pathValues(path, end)).at(-1)
  return value === undefined || value === '' ? undefined : decodedText(value)
}

/** The items of a list that a response gives: the body itself, or the one list in it. `path`: of several lists, the one that is called like its end. */
export const itemsIn = (body: Json | undefined, path: string | null = null): readonly Json[] | null => {
  if (body === undefined) return null
  if (isArray(body)) return body
  if (!isObject(body)) return null
  const lists = Object.values(body).filter(isArray)
  if (lists.length === 1) return lists[0] ?? null
  if (lists.length > 1 && path !== null) {
    const words = wordsOf(path.slice(path.lastIndexOf('/') + 1)).map(singular)
    const called = Object.entries(body).filter(
      ([name, value]) => isArray(value) && wordsOf(name).some(word => words.includes(singular(word))),
    )
    return called.length === 1 ? (called[0]?.[1] as readonly Json[]) : null
  }
  const objects = lists.length === 0 ? Object.values(body).filter(isObject) : []
  return objects.length === 1 ? itemsIn(objects[0]) : null
}
