import { isJsonMedia } from '../http/exchange.ts'
import { asNode, follow } from '../json/follow-refs.ts'
import { plainName } from '../resources/names.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../schema/locations.ts'
import { type Callback, webhooksOf } from './callbacks.ts'
import type { Contract } from './contract.ts'
import type { Operation } from './operation.ts'

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
