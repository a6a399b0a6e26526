import { asNode, follow } from '../json/follow-refs.ts'
import { step } from '../json/pointer.ts'
import { declaredIn } from '../openapi/check/declared.ts'
import { minorVersion } from '../openapi/version-check.ts'
import type { Contract } from './contract.ts'
import type { Operation } from './operation.ts'
import { operationAt } from './operations.ts'

/** A request that a server sends after one to the operation. `url`: an expression that says where to. */
export type Callback = { readonly url: string; readonly operation: Operation }

/** The callbacks that an operation declares, each as an operation of its own: `createOrder.paid`. */
export const callbacksOf = (
  { openapi, requests: { document } }: Contract,
  { id, pointer }: Operation,
): readonly Callback[] => {
  const minor = minorVersion(openapi) ?? 1
  const at = step(pointer, 'callbacks')
  return Object.keys(asNode(follow(document, pointer).node.callbacks)).flatMap(name => {
    const callback = follow(document, step(at, name))
    const urls = Object.keys(asNode(callback.node)).filter(url => !url.startsWith('x-') && url !== '$ref')
    return urls.flatMap(url => {
      const item = follow(document, step(callback.pointer, url))
      return declaredIn(item.node, minor).map(({ method, at: place }) => {
        const operation = operationAt(document, url, method, item.pointer, item.pointer + place)
        return { url, operation: { ...operation, id: `${id}.${name}` } }
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
