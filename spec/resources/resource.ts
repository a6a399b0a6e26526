import type { Operation } from '../contract/contract.ts'
import { isJsonMedia, mediaType } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'
import { withoutFormat } from './noun.ts'

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
