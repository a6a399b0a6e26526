import {
  canBeName,
  isArray,
  isObject,
  isOwnId,
  type Json,
  type JsonObject,
  listNames,
  type Operation,
  plainName,
  singular,
  step,
} from '../../spec/index.ts'
import { nameText } from './is-named.ts'

/** How much is read of one response. */
export const readLimits = { scalars: 3000, letters: 200 } as const

export const isScalar = (value: Json): boolean =>
  canBeName(value) && (typeof value !== 'string' || value.length <= readLimits.letters)

/** Letters of a name that is another value by chance at most. */
export const leastLetters = 6

/** A scalar in a response: its property, what has it, and where it stands. */
export type Shown = {
  readonly value: Json
  readonly name: string
  readonly holder: string
  readonly place: string
}

/** Objects at any depth, the outer ones first; of each list a few. */
export function* objectsIn(
  value: Json,
  place = '',
): Generator<{ readonly value: JsonObject; readonly place: string }> {
  if (isArray(value))
    for (const [index, item] of value.slice(0, 3).entries())
      yield* objectsIn(item, step(place, String(index)))
  if (!isObject(value)) return
  yield { value, place: place === '' ? 'the body' : place }
  for (const [key, member] of Object.entries(value)) yield* objectsIn(member, step(place, key))
}

/** Names of lists that also are nouns of their own: the nodes of a cluster are no clusters. */
const nouns = ['nodes', 'objects', 'resources']

/** What pages and envelopes call what they have in them. */
const wrappers = new Set([
  ...listNames.filter(name => !nouns.includes(name)),
  ...['payload', 'response', 'embedded'],
])

/** What has the members of a value with this name: `kernels[].id` is the id of a kernel, and that of `items[].id` one of what is asked for. */
const holderIn = (name: string, holder: string): string =>
  name === '' || wrappers.has(name) ? holder : singular(name)

/** Breadth first: what comes late in a large response is like what came before it. `mostItems`: of each list. */
export function* scalarsIn(root: Json, noun: string, mostItems = 20): Generator<Shown> {
  const queue: { value: Json; name: string; holder: string; place: string }[] = [
    { value: root, name: '', holder: noun, place: '' },
  ]
  for (let at = 0; at < queue.length && at < readLimits.scalars; at++) {
    const { value, name, holder, place } = queue[at] as (typeof queue)[number]
    if (isArray(value))
      // `capital[0]` is a capital.
      for (const [index, item] of value.slice(0, mostItems).entries())
        queue.push({
          value: item,
          name: isScalar(item) ? name : '',
          holder: holderIn(name, holder),
          place: step(place, String(index)),
        })
    else if (isObject(value))
      for (const [key, member] of Object.entries(value))
        queue.push({
          value: member,
          name: plainName(key),
          holder: holderIn(name, holder),
          place: step(place, key),
        })
    else if (isScalar(value)) yield { value, name, holder, place: place === '' ? 'the body' : place }
  }
}

const deepestId = 4

/** The ids of the objects inside a value, as texts, such as that of the kernel of a session. */
export const innerIds = (value: Json | undefined, depth = 0): readonly string[] => {
  if (value === undefined || depth > deepestId) return []
  if (isArray(value)) return value.flatMap(item => innerIds(item, depth + 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const text = depth > 0 && isOwnId(name) && canBeName(member) ? nameText(member) : ''
    return text.length >= leastLetters ? [text] : innerIds(member, depth + 1)
  })
}

const mostKeys = 6

/** The keys of an object that may be names: of settings, or of whatever a map holds. What has a list in it is an envelope. */
export const namesAsKeys = (value: Json): readonly string[] =>
  isObject(value) && !Object.values(value).some(isArray)
    ? Object.keys(value)
        .filter(key => key !== '' && key.length <= readLimits.letters)
        .slice(0, mostKeys)
    : []

/** By the path of a GET, the name of the parameter that is read below it: `item` by `/args` if there is `/args/{item}`. */
export const parametersBelow = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap(({ method, path }) => {
      const [, before, name = ''] = /^(.+)\/\{([^{}/]+)\}\/?$/.exec(path) ?? []
      return before === undefined || method !== 'GET' ? [] : [[before, plainName(name)] as const]
    }),
  )

/** Whether a place of a request may name such a resource. A short name says so only with the noun: a quantity may be 1 as well. */
export const mayName = (place: string, name: string, noun: string): boolean =>
  name.length >= leastLetters || plainName(place.split(/[ /]/).at(-1) ?? '').includes(plainName(noun))
