/** What of a resource has to be given back as it was stored. */
import {
  asNode,
  type Contract,
  givesJson,
  isArray,
  isNumber,
  isObject,
  isServerOwned,
  isValidAt,
  type Json,
  type JsonObject,
  jsonMedia,
  type Operation,
  placeOf,
  placesOf,
  type SchemaPlace,
  sameJson,
  step,
  valueAt,
} from '../../spec/index.ts'

/** A property that is not what it should be. */
export type Difference = { readonly name: string; readonly expected: Json; readonly actual: Json | undefined }

/**
 * What a resource that was stored has to be read as: the properties that were sent, as far as the operation declares that it gives them.
 * If the response to the request that stored them had another value, the server has said so, and that counts.
 */
export const expectedProperties = (
  contract: Contract,
  read: Operation,
  sent: Json | undefined,
  answered: Json | undefined,
): JsonObject => {
  if (sent === undefined || !isObject(sent) || !givesJson(read)) return {}
  const root = shownRoot(contract, read)
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const place = root === null ? null : placeOf(root, step('', name))
      if (isServerOwned(name) || (root !== null && place === null) || isHidden(contract, place)) return []
      const said = answered !== undefined && isObject(answered) ? answered[name] : undefined
      const expected = said ?? value
      return place === null || isAllowed(contract, place, expected) ? [[name, expected] as const] : []
    }),
  )
}

/** The schema of a resource in the response of the operation that reads it; null if it declares none. */
const shownRoot = ({ document }: Contract, { responses }: Operation): SchemaPlace | null => {
  const media = responses
    .filter(({ status }) => /^2|default/.test(status))
    .map(response => jsonMedia(response.media))
    .find(candidate => candidate?.schema != null)
  if (media?.schema == null) return null
  const root = placesOf(document, media.schema)
  const inner = root.children.filter(
    ({ types, properties }) => types?.join() === 'object' && properties.length > 0,
  )
  // An envelope with one object in it, such as `data`.
  return inner.length === 1 && root.children.length === 1 && inner[0] !== undefined ? rebased(inner[0]) : root
}

/** The same place as the root of its own tree. */
const rebased = (place: SchemaPlace): SchemaPlace => {
  const shorten = (child: SchemaPlace): SchemaPlace => ({
    ...child,
    pattern: child.pattern.slice(place.pattern.length),
    children: child.children.map(shorten),
  })
  return shorten(place)
}

/** Whether a response may have this value: no server can give back what its own schema rules out. */
const isAllowed = ({ responses }: Contract, place: SchemaPlace, value: Json): boolean =>
  isValidAt(responses.schemas, place, value)

/** Whether a property is only written, or only read. */
const isHidden = ({ document }: Contract, place: SchemaPlace | null): boolean =>
  place?.schemas.some(pointer => {
    const { writeOnly, readOnly } = asNode(valueAt(document, pointer))
    return writeOnly === true || readOnly === true
  }) === true

/** The first property that is not given as it was stored; null if all are. */
export const differenceIn = (expected: JsonObject, actual: Json | undefined): Difference | null =>
  differencesIn(expected, actual)[0] ?? null

/** All of them. */
export const differencesIn = (expected: JsonObject, actual: Json | undefined): readonly Difference[] => {
  const given = actual !== undefined && isObject(actual) ? actual : {}
  return Object.entries(expected)
    .filter(([name, value]) => !isSame(value, given[name]))
    .map(([name, value]) => ({ name, expected: value, actual: given[name] }))
}

/** Whether a value means the same: instants may be written in several ways, sets in any order, and objects may have more. */
const isSame = (expected: Json, actual: Json | undefined): boolean => {
  // Many servers leave out what is null or empty.
  if (actual === undefined) return expected === null || isEmpty(expected)
  if (sameJson(expected, actual)) return true
  if (isNumber(expected) && isNumber(actual)) return isNear(Number(expected), Number(actual))
  if (typeof expected === 'string' && typeof actual === 'string') return isSameInstant(expected, actual)
  if (isArray(expected) && isArray(actual))
    return (
      expected.length === actual.length &&
      (expected.every((item, index) => isSame(item, actual[index])) ||
        expected.every(item => actual.some(other => isSame(item, other))))
    )
  return (
    isObject(expected) &&
    isObject(actual) &&
    Object.entries(expected).every(([name, value]) => isSame(value, actual[name]))
  )
}

const isEmpty = (value: Json): boolean =>
  isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0

/** A server may keep a float. */
const isNear = (left: number, right: number): boolean =>
  !Number.isInteger(left) && Math.abs(left - right) <= Math.abs(left) * 1e-6

const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/

const isSameInstant = (left: string, right: string): boolean =>
  instant.test(left) && instant.test(right) && Math.abs(Date.parse(left) - Date.parse(right)) < 1000
