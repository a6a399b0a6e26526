import type { Operation } from '../contract/contract.ts'
import { isJsonMedia, mediaType } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'
import { isActionName, isIdentityWord, plainName, saysHow, singular } from './names.ts'

/** A kind of resource that a contract has: what the last parameter of `/shops/{shop}/orders/{order}` names. */
export type Resource = {
  /** Its path with `{}` for each parameter: `/shops/{}/orders/{}`. */
  readonly shape: string
  /** As an operation spells it. */
  readonly path: string
  /** What its resources are below: `/shops/{}`; null if they are below nothing that has a name. */
  readonly parent: Resource | null
  /** Under which names a message may give the value of the parameter, the likeliest first. */
  readonly names: readonly string[]
  /** What one of its resources is called in sentences: `order`; `resource` if the path does not say. */
  readonly noun: string
  /** Creates a resource, with POST: the server chooses where it is. */
  readonly create: Operation | null
  /** Seems to create a resource, if nothing declared does, or a POST beside `replace` that is called a creation: a guess, which decides no verdict. */
  readonly likelyCreate: Operation | null
  /** Others that seem to create one, such as `POST /orgs/{org}/repos` beside `POST /user/repos`. */
  readonly alsoCreate: readonly Operation[]
  /** Gives a list of resources. */
  readonly list: Operation | null
  /** Seems to give such a list, if none is declared: a guess, as `likelyCreate` is. */
  readonly likelyList: Operation | null
  readonly read: Operation | null
  /** PUT. Without `create` and `likelyCreate` it creates as well: the client chooses the name. */
  readonly replace: Operation | null
  /** PATCH. */
  readonly change: Operation | null
  readonly remove: Operation | null
  /** Where links of the document say that the value is, by the operation whose response it is. */
  readonly links: ReadonlyMap<string, readonly LinkedValue[]>
}

/** A runtime expression for the value, such as `$response.body#/id`, in the responses with a declared status. */
export type LinkedValue = { readonly status: string; readonly expression: string }

/** A parameter of the path of an operation, and the resource that it names. */
export type PathName = { readonly parameter: string; readonly resource: Resource }

/** Which operations make the resources that others ask for. */
export type ResourceGraph = {
  readonly resources: readonly Resource[]
  /** The names in the path of an operation, the outermost first; empty if its path names nothing. */
  readonly namesIn: (operation: Operation) => readonly PathName[]
  /** What an operation creates; null if it creates nothing. */
  readonly createdBy: (operation: Operation) => Resource | null
  /** Those whose names the document lists, and that operations make all the same. They are none of the resources above. */
  readonly listed: readonly ListedResource[]
  /** The names in the path of an operation on one of these; empty if it is on none. */
  readonly listedNamesIn: (operation: Operation) => readonly PathName[]
  /** Which of these an operation makes; null if it makes none. */
  readonly listedBy: (operation: Operation) => ListedResource | null
}

/** A kind of resource that is named by one of the values that the document lists for a parameter. */
export type ListedResource = {
  readonly resource: Resource
  readonly values: readonly Json[]
  /** The property of a creation that has the name; null: only PUT makes one. */
  readonly property: string | null
}

/** The operation that makes resources of a resource, as its path or a link says; null if none does. */
export const declaredCreatorOf = ({ create, likelyCreate, replace }: Resource): Operation | null =>
  create ?? (likelyCreate === null ? replace : null)

/** The operation that makes resources of a resource, or that seems to; null if none does. */
export const creatorOf = (resource: Resource): Operation | null =>
  declaredCreatorOf(resource) ?? resource.likelyCreate

/** Which of the operations that make a resource has this id; the usual one if none has. */
export const creatorCalled = (resource: Resource, id: string): Operation | null =>
  resource.alsoCreate.find(each => each.id === id) ?? creatorOf(resource)

/** Whether an operation creates the resources of this resource by the name in its path, or seems to. */
export const createsByName = (resource: Resource, operation: Operation): boolean =>
  creatorOf(resource) === operation && shapeOf(operation.path) === resource.shape

/**
 * A path without the names of its parameters, its last slash and its format: `/plants/` and `/plants.json` have the resources that
 * `/plants/{id}` names.
 */
export const shapeOf = (path: string): string =>
  withoutFormat(path)
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/\/$/, '')

/** Whether what an operation reads can be compared with what was sent: resources are only looked for in JSON. */
export const givesJson = ({ responses }: Operation): boolean => {
  const media = responses.filter(({ status }) => /^2|default/.test(status)).flatMap(each => each.media)
  return (
    media.length === 0 || media.some(({ type }) => type.includes('*') || isJsonMedia(mediaType(type) ?? ''))
  )
}

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
