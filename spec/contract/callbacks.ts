import { asNode, follow } from '../json/follow-refs.ts'
import { step } from '../json/pointer.ts'
import { declaredIn } from '../openapi/check/declared.ts'
import { minorVersion } from '../openapi/version-check.ts'
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
