import { isActionName, isIdentityWord, plainName, saysHow, singular } from './names.ts'

/** `carePlanId` → `care plan id` */
const spaced = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase()

/** The words of a name, in lower case: `care`, `plan`, `id` of `carePlanId`. */
export const wordsOf = (name: string): readonly string[] => spaced(name).split(' ')

/** What a path has resources of, as one word: `flow` of `/flows/`, `/flows/filter` and `/v1/flows.json`; empty if no segment says it. */
export const nounOfPath = (path: string): string => {
  const segments = path
    .split('/')
    .filter(segment => segment !== '' && !segment.startsWith('{'))
    .map(segment => segment.replace(/\.\w+$/, ''))
  return singular(plainName(segments.findLast(segment => !isActionName(segment)) ?? ''))
}

/** The last segment of a path that says of what something is: no parameter, and not `id` as in `/tools/id/{id}`; empty if there is none. */
const collectionIn = (path: string): string =>
  path.split('/').findLast(part => part !== '' && !part.startsWith('{') && !saysHow(part)) ?? ''

/** Whether the last parameter of a path names the resource itself that an operation is about, and not what something is below. */
export const endsInName = (path: string): boolean => /\}\/?$/.test(withoutFormat(path))

/** A path without the format at its end: `/plants/{id}` for `/plants/{id}.json`. */
export const withoutFormat = (path: string): string => path.replace(/\.(?:json|xml|ya?ml|csv)(?=\/?$)/i, '')

/** `order` for `/orders/{id}`, as the path spells it. */
export const singularIn = (path: string): string => singular(collectionIn(path))

/**
 * What one of the resources is called that the last parameter of a path names, in lower case: `care plan` for `/care-plans/{carePlanId}`,
 * `person` for `/people/{personId}`, `user` for `/users/{username}`; `resource` if the path does not say.
 */
export const nounIn = (path: string): string => {
  const parameter = spaced(path.slice(path.lastIndexOf('{') + 1, path.lastIndexOf('}'))).split(' ')
  const named = parameter.slice(0, parameter.findLastIndex(word => !isIdentityWord(word)) + 1).join(' ')
  const collected = spaced(singularIn(path))
  const noun = named === '' || (collected !== '' && named.startsWith(collected)) ? collected : named
  return /^\p{L}{2}[\p{L} ]*$/u.test(noun) ? noun : 'resource'
}

/** What the value of a parameter or property names by an id or the like: `task` for `taskId`; empty if that is not said, null if it names nothing. */
export const nounNamed = (name: string): string | null => {
  const words = wordsOf(name)
  return isIdentityWord((words.at(-1) ?? '').replace(/s$/, ''))
    ? plainName(words.slice(0, -1).join(''))
    : null
}
