import { type Callback, callbacksOf, subscriptionsOf } from '../contract/callbacks.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import type { Level, ObligationSpec } from '../obligations/obligation.ts'
import type { CallbackName } from '../obligations/subject.ts'

/**
 * What holds of the requests that operations send to URLs of their clients. A document says that such a request may come, and never that it
 * has to: only its shape is a MUST, and that no answer to it harms the server.
 */
export const callbackObligations = (contract: Contract, operation: Operation): readonly ObligationSpec[] =>
  sentBy(contract, operation).flatMap(callback =>
    (callback.isWebhook ? textsOfWebhook(callback) : texts(operation.id, callback)).map(
      ([name, level, input, requirement]) => ({
        family: 'callback',
        level,
        input,
        requirement,
        pointer: callback.operation.pointer,
        subject: { kind: 'callback', callback: callback.name, name },
      }),
    ),
  )

/** What a server sends to URLs that requests of an operation have: its callbacks, and the webhooks that it takes a URL for. */
export const sentBy = (contract: Contract, operation: Operation): readonly Callback[] => {
  const callbacks = callbacksOf(contract, operation)
  const names = new Set(callbacks.map(({ name }) => name))
  return [...callbacks, ...subscriptionsOf(contract, operation).filter(({ name }) => !names.has(name))]
}

type Text = readonly [name: CallbackName, level: Level, input: string, requirement: string]

const texts = (id: string, { name, hasSecurity }: Callback): readonly Text[] => {
  const accepted = 'a valid request with a URL for callbacks'
  return [
    ['sent', 'SHOULD', accepted, `the callback ${name} comes after ${id} has accepted a request`],
    ['request', 'MUST', accepted, `the callback ${name} is a request as declared`],
    ...(hasSecurity
      ? [['credentials', 'MUST', accepted, `the callback ${name} has the declared credentials`] as const]
      : []),
    [
      'own',
      'SHOULD',
      'two valid requests with different URLs for callbacks',
      `the callback ${name} is about the request that gave its URL`,
    ],
    [
      'once',
      'SHOULD',
      accepted,
      `the callback ${name} does not come a second time after it was answered with a success`,
    ],
    [
      'rejected',
      'SHOULD',
      'an invalid request with a URL for callbacks',
      `the callback ${name} does not come after ${id} has rejected a request`,
    ],
    [
      'refused',
      'MUST',
      `a valid request after the callback ${name} was answered with 503`,
      `${id} goes on to answer after the callback ${name} was answered with 503`,
    ],
    [
      'repeated',
      'OBSERVE',
      `a valid request whose callback ${name} is answered with 503`,
      `whether the callback ${name} comes again after it was answered with 503`,
    ],
  ]
}

const textsOfWebhook = ({ name, hasSecurity }: Callback): readonly Text[] => {
  const events = 'requests that change something, after one that gives a URL for webhooks'
  return [
    ['sent', 'OBSERVE', events, `whether the webhook ${name} comes`],
    ['request', 'MUST', events, `the webhook ${name} is a request as declared`],
    ...(hasSecurity
      ? [['credentials', 'MUST', events, `the webhook ${name} has the declared credentials`] as const]
      : []),
  ]
}
