/** Which places of a request the texts of a response speak of. */
import {
  isArray,
  isNumber,
  isObject,
  type Json,
  numberText,
  type Pointer,
  plainName,
  readJson,
  type SchemaPlace,
  singular,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { isReading, type OperationModel } from '../cases/operation-model.ts'
import { withStars } from './bound-spec.ts'

/** A place that a text may speak of, with what the request has there. */
export type Known = {
  readonly key: string
  readonly name: string
  readonly schema: SchemaPlace | null
  readonly value: Json | undefined
  /** Of a place in an object that the request lacks: the outermost such object. */
  readonly within: SchemaPlace | null
}

/**
 * A text of a response, and the names around it: of the properties that it is in, and of the texts beside it. `paths`: those of these that are
 * places, the outermost part first.
 */
export type Said = {
  readonly text: string
  readonly names: readonly string[]
  readonly paths: readonly (readonly string[])[]
}

/** What is read of a text. */
export const mostLetters = 600

/** Places of a request that are looked at, and how far they are looked for in objects that it lacks. */
const [mostPlaces, deepest] = [400, 4]

/** The texts in a value, each with the names around it. */
export function* textsIn(value: Json, names: readonly string[], paths: Said['paths'] = []): Generator<Said> {
  if (typeof value === 'string') yield { text: value.slice(0, mostLetters), names, paths }
  else if (isArray(value)) for (const item of value) yield* textsIn(item, names, paths)
  else if (isObject(value)) {
    const isPlacing = ([key, member]: readonly [string, Json]): boolean =>
      placing.test(key) && !hasSentence(member)
    const members = Object.entries(value)
    const placed = members.filter(isPlacing).map(([, member]) => member)
    const beside = placed.flatMap(namesOf)
    const places = [...placed.flatMap(pathOf), ...paths]
    for (const each of members)
      if (!isPlacing(each)) yield* textsIn(each[1], [...beside, ...names, each[0]], places)
  }
}

/** Properties of failures that say where a fault is. */
const placing =
  /^(loc|location|field|fields|path|pointer|param|parameter|property|attribute|instancePath|dataPath|source|name|key|argument|target)$/i

const hasSentence = (value: Json): boolean =>
  typeof value === 'string' ? /\s\S+\s/.test(value) : isArray(value) && value.some(hasSentence)

/** The parts of a place: of `createOrder.arg0.items[0].name`, of `/items/0/name`, of `["body", "items", 0, "name"]`. */
const partsOf = (value: Json): readonly string[] => {
  const parts = isArray(value)
    ? value.map(part => (isNumber(part) ? numberText(part) : String(part)))
    : typeof value === 'string'
      ? value.split(/[/.[\]]+/)
      : []
  return parts.filter(part => part !== '')
}

/** A place of more than one part: a name alone is among `names`. */
const pathOf = (value: Json): Said['paths'] => {
  const path = partsOf(value)
  return path.length > 1 ? [path] : []
}

const namesOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value.split(/[^\p{L}\p{N}_-]+/u).reverse()
  if (isNumber(value)) return []
  if (isArray(value)) return value.flatMap(namesOf).reverse()
  return isObject(value) ? Object.values(value).flatMap(namesOf) : []
}

/** Those of the request first, then those in objects that it lacks. */
export const placesOfRequest = (model: OperationModel, spec: RequestSpec): readonly Known[] => {
  const { parameters, body } = model
  const known: Known[] = parameters
    // What such a path names may be somebody else's.
    .filter(({ parameter }) => parameter.in !== 'path' || isReading(model))
    .map(({ parameter: { name, in: part }, root }) => ({
      key: `${part} ${name}`,
      name,
      schema: root,
      value: spec.parameters[name],
      within: null,
    }))
  const missing: Known[] = []
  const visit = (
    schema: SchemaPlace,
    value: Json | undefined,
    within: SchemaPlace | null,
    deep: number,
  ): void => {
    for (const child of schema.children) {
      const path = steps(child.pattern)
      const isItem = path.at(-1) === '*' && isArray(value)
      // An item is called as its list is.
      const name = (isItem ? path.findLast(part => part !== '*') : path.at(-1)) ?? ''
      const isFull = known.length + missing.length >= mostPlaces
      if (name === '*' || /^\d+$/.test(name) || isFull) continue
      const member = isItem
        ? value[0]
        : isObject(value) && Object.hasOwn(value, name)
          ? (value[name] as Json)
          : undefined
      const place = { key: child.pattern, name, schema: child, value: member, within }
      if (within === null) known.push(place)
      else missing.push(place)
      const outer = member === undefined ? (within ?? child) : null
      if (member !== undefined || deep < deepest) visit(child, member, outer, deep + 1)
    }
  }
  if (body !== null && isObject(spec.body)) visit(body.root, spec.body, null, 0)
  return [...known, ...missing]
}

/** Places that one text speaks of, at most. */
const mostSpoken = 4

/** Places by their names, as texts spell them. */
export const placesByName = (places: readonly Known[]): ReadonlyMap<string, readonly Known[]> =>
  Map.groupBy(places, ({ name }) => singular(plainName(name)))

/** The places that a text speaks of: those that are named beside it, then those that it names itself, or whose values it repeats. */
export const spokenOf = (
  { text, names, paths }: Said,
  places: readonly Known[],
  byName: ReadonlyMap<string, readonly Known[]>,
): readonly Known[] => {
  const exact = paths.flatMap(path => endOf(path, places))
  if (exact.length > 0) return exact.slice(0, mostSpoken)
  const named = (name: string): readonly Known[] => {
    const plain = singular(plainName(name))
    return plain === '' ? [] : (byName.get(plain) ?? [])
  }
  const quoted = [...text.matchAll(/['"`]([^'"`\s]{1,60})['"`]/g)].map(match => match[1] as string)
  const words = text.split(/[^\p{L}\p{N}_-]+/u)
  // `invalid mapped path`: a name of several words.
  const phrases = words.flatMap((_, at) => [3, 2].map(count => words.slice(at, at + count).join(' ')))
  // `filter.start.after is required`: the innermost is meant.
  const dotted = text
    .split(/[^\w./-]+/)
    .filter(word => /\w[./]\w/.test(word))
    .flatMap(path => innermost(path, places))
  // `invalid address: X`
  const last = text.trim().split(': ').at(-1)
  const repeated = places.filter(
    ({ value }) =>
      typeof value === 'string' &&
      value !== '' &&
      (value === last || (value.length > 2 && quoted.includes(value))),
  )
  return [
    ...new Set([...dotted, ...[...names, ...quoted, ...phrases, ...words].flatMap(named), ...repeated]),
  ].slice(0, mostSpoken)
}

/** The place that a path ends in, the innermost such, with an index or a star for an item; none if there is no such place. */
const endOf = (path: readonly string[], places: readonly Known[]): readonly Known[] => {
  const isEnd = (key: readonly string[]): boolean =>
    key.length <= path.length &&
    key.every((part, index) => {
      const said = path[path.length - key.length + index] as string
      return part === '*' ? /^(?:\d+|\*)$/.test(said) : plainName(part) === plainName(said)
    })
  const found = places.filter(({ key }) => {
    const parts = key.startsWith('/') ? steps(key) : []
    return parts.length > 0 && isEnd(parts)
  })
  return found.toSorted((left, right) => steps(right.key).length - steps(left.key).length).slice(0, 1)
}

/** The place that a path with dots or slashes ends in; none if there is no such place. */
const innermost = (path: string, places: readonly Known[]): readonly Known[] => {
  const end = `/${path
    .split(/[./]/)
    .filter(part => part !== '')
    .map(plainName)
    .join('/')}`
  return places.filter(
    ({ key }) => key.startsWith('/') && `/${steps(key).map(plainName).join('/')}`.endsWith(end),
  )
}

/**
 * The places of a body, with a star for each index, that the properties of a failure name which say where it is (`field`, `loc`, `pointer`):
 * those that the body has.
 */
export const namedPlaces = (failure: Uint8Array, body: Json | undefined): readonly Pointer[] => {
  const reading = readJson(failure)
  if (!reading.ok || body === undefined) return []
  const found = [...placingIn(reading.value)].flatMap(value => pointersIn(value, body))
  return [...new Set(found)].map(withStars)
}

function* placingIn(value: Json): Generator<Json> {
  if (isArray(value)) for (const item of value) yield* placingIn(item)
  else if (isObject(value))
    for (const [key, member] of Object.entries(value))
      if (isObject(member) || !placing.test(key)) yield* placingIn(member)
      else yield member
}

/** A place as a pointer, a path with dots, a list of steps or a name, if the body has it. */
const pointersIn = (value: Json, body: Json): readonly Pointer[] => {
  const parts = partsOf(value).filter(part => part !== '$')
  const all = [parts, parts.slice(1)].filter(part => part.length > 0).map(part => part.reduce(step, ''))
  return all.filter(pointer => valueAt(body, pointer) !== undefined).slice(0, 1)
}
