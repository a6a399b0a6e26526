import { isJsonMedia } from '../http/exchange.ts'
import { asNode, follow } from '../json/follow-refs.ts'
import { step } from '../json/pointer.ts'
import { declaredIn } from '../openapi/check/operations.ts'
import { minorVersion } from '../openapi/version-check.ts'
import { plainName } from '../resources/names.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../schema/locations.ts'
import type { Contract } from './contract.ts'
import type { Operation } from './operation.ts'
import { operationAt } from './operations.ts'

/** A request that a server sends after one to the operation. */
export type Callback = {
  /** What tells it from the others of its operation: `paid`; with its method or a number if there are several of that name. */
  readonly name: string
  /** An expression that says where to. */
  readonly url: string
  readonly operation: Operation
  /** Whether it says itself which credentials it has: what the document says for all operations is about those of the server. */
  readonly hasSecurity: boolean
  /** Whether it is a webhook: it comes after other requests than the one that gives its URL. */
  readonly isWebhook: boolean
}

/** The callbacks that an operation declares, each as an operation of its own: `createOrder.paid`. */
export const callbacksOf = (
  { openapi, requests: { document } }: Contract,
  { id, pointer }: Operation,
): readonly Callback[] => {
  const minor = minorVersion(openapi) ?? 1
  const at = step(pointer, 'callbacks')
  return Object.keys(asNode(follow(document, pointer).node.callbacks)).flatMap(name => {
    const callback = follow(document, step(at, name))
    const taken = new Set<string>()
    const nameOf = (method: string): string => {
      const first = taken.size === 0 ? name : `${name}.${method.toLowerCase()}`
      let free = first
      for (let count = 2; taken.has(free); count++) free = `${first}-${count}`
      taken.add(free)
      return free
    }
    const urls = Object.keys(asNode(callback.node)).filter(url => !url.startsWith('x-') && url !== '$ref')
    return urls.flatMap(url => {
      const item = follow(document, step(callback.pointer, url))
      return declaredIn(item.node, minor).map(({ method, at: place }) => {
        const operation = operationAt(document, url, method, item.pointer, item.pointer + place)
        return {
          name: nameOf(method),
          url,
          operation: { ...operation, id: `${id}.${name}` },
          hasSecurity: follow(document, operation.pointer).node.security !== undefined,
          isWebhook: false,
        }
      })
    })
  })
}

/** The webhooks of a document, each as an operation with the name of the webhook; methods besides POST have their own: `stock.put`. */
export const webhooksOf = ({ openapi, requests: { document } }: Contract): readonly Operation[] => {
  const minor = minorVersion(openapi) ?? 1
  return Object.keys(asNode(document.webhooks)).flatMap(name => {
    const item = follow(document, step('/webhooks', name))
    return declaredIn(item.node, minor).map(({ method, at: place }, _index, { length }) => ({
      ...operationAt(document, name, method, item.pointer, item.pointer + place),
      id: length === 1 || method === 'POST' ? name : `${name}.${method.toLowerCase()}`,
    }))
  })
}

/**
 * The webhooks of a document, as callbacks of an operation whose body takes a URL for them: `POST /hooks {"url": …}`. None for any other
 * operation. A guess by names: OpenAPI has no words for it.
 */
export const subscriptionsOf = (contract: Contract, operation: Operation): readonly Callback[] => {
  const place = hasWebhooks(contract) ? urlPlaceIn(contract, operation) : undefined
  return place === undefined ? [] : webhooksTo(contract, `{$request.body#${place.pattern}}`)
}

/** The webhooks of a document as callbacks that go to this URL, which may be an expression. */
export const webhooksTo = (contract: Contract, url: string): readonly Callback[] =>
  webhooksOf(contract).map(webhook => ({
    name: webhook.id,
    url,
    operation: webhook,
    hasSecurity: follow(contract.requests.document, webhook.pointer).node.security !== undefined,
    isWebhook: true,
  }))

const hasWebhooks = ({ requests: { document } }: Contract): boolean =>
  Object.keys(asNode(document.webhooks)).length > 0

/** The required place of the body that a URL belongs in, else the outermost one. */
const urlPlaceIn = (
  { requests: { document } }: Contract,
  { method, path, body }: Operation,
): SchemaPlace | undefined => {
  const schema = body?.media.find(({ type, schema: of }) => of !== null && isJsonMedia(type))?.schema
  if (schema == null || !(method === 'POST' || (method === 'PUT' && !path.endsWith('}')))) return undefined
  const root = placesOf(document, schema)
  const subscribes = path.split('/').some(part => !part.startsWith('{') && subscribing.test(plainName(part)))
  const name = subscribes ? anyUrl : urlOfHook
  return listPlaces(root)
    .filter(
      ({ pattern, types }) =>
        types?.includes('string') === true &&
        !pattern.includes('/*') &&
        name.test(plainName(pattern.slice(pattern.lastIndexOf('/') + 1))),
    )
    .toSorted((left, right) => rankOf(root, left) - rankOf(root, right))[0]
}

const subscribing = /hook|subscri|callback|notification|listener/
const anyUrl = /ur[li]$|endpoint$|callback$|webhook$|^(?:target|address|destination|hook|sink|to)$/
const urlOfHook = /(?:hook|callback|notif(?:y|ication)?|event)s?(?:ur[li]|endpoint|address)$/

const rankOf = (root: SchemaPlace, { pattern, keywords }: SchemaPlace): number => {
  const isUrl = keywords.some(({ keyword, value }) => keyword === 'format' && /^ur[li]/.test(String(value)))
  return (root.required.includes(pattern.slice(1)) ? 0 : 2 * pattern.split('/').length) + (isUrl ? 0 : 1)
}
