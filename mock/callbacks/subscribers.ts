import {
  type Callback,
  type Exchange,
  type Headers,
  isSameName,
  namedScalars,
  type Operation,
  placesOf,
  plainName,
  plainValue,
  resolved,
  type Scheme,
} from '../../spec/index.ts'
import type { Engine } from '../engine/engine.ts'

/** Who asked for webhooks, and which. */
export type Subscribers = {
  /** Notes an accepted request: it may give a URL for webhooks, or remove what gave one. */
  readonly note: (callbacks: readonly Callback[], exchange: Exchange) => void
  /** What is to be sent after an accepted request. */
  readonly for: (exchange: Exchange) => readonly { readonly callback: Callback; readonly url: string }[]
}

type Subscriber = {
  readonly callback: Callback
  readonly url: string
  /** The path of the request. */
  readonly path: string
  /** The paths by which it may be removed: below that of the request, with a value of the response. */
  readonly paths: readonly string[]
}

/** So many are kept, the last ones. */
const most = 100

export const createSubscribers = (): Subscribers => {
  let all: readonly Subscriber[] = []
  return {
    note: (callbacks, exchange) => {
      const path = new URL(exchange.url).pathname
      if (exchange.method === 'DELETE') all = all.filter(({ paths }) => !paths.includes(path))
      const webhooks = callbacks.filter(({ isWebhook }) => isWebhook)
      if (webhooks.length === 0) return
      const said = namedScalars(exchange.request.body).map(([, value]) => plainName(value))
      const named = webhooks.filter(({ name }) => said.some(value => isSameName(value, name)))
      const paths = namedScalars(exchange.response.body).map(
        ([, value]) => `${path}/${encodeURIComponent(value.replaceAll('"', ''))}`,
      )
      for (const callback of named.length > 0 ? named : webhooks) {
        const url = resolved(callback.url, { exchange, values: {} })
        const others = all.filter(each => each.url !== url || each.callback.name !== callback.name)
        if (url !== null) all = [...others, { callback, url, path, paths }].slice(-most)
      }
    },
    for: ({ method, url }) => {
      const target = new URL(url).pathname
      if (!Object.hasOwn(done, method)) return []
      // A change of a subscription is no event.
      return all.filter(({ callback, path }) => !target.startsWith(path) && isAbout(callback.name, method))
    },
  }
}

/** What the names of webhooks say was done, by the methods that do it. */
const done: Readonly<Record<string, RegExp>> = {
  POST: /creat|add|new|open|regist|plac|insert|publish/,
  DELETE: /delet|remov|destroy|cancel|clos/,
  PUT: /updat|chang|modif|edit|replac/,
  PATCH: /updat|chang|modif|edit/,
}

/** Whether a webhook of this name may come after a request of this method: one that says nothing of what was done always does. */
const isAbout = (name: string, method: string): boolean => {
  const text = plainName(name)
  return done[method]?.test(text) === true || !Object.values(done).some(words => words.test(text))
}

/** What a callback has beside its body: header fields that it has to have, and credentials. */

/** The required fields, with the simplest values. */
export const madeFields = ({ contract: { requests } }: Engine, { parameters }: Operation): Headers =>
  parameters
    .filter(({ in: place, required }) => place === 'header' && required)
    .map(({ name, schema }) => {
      const value = schema === null ? 'plantstore' : plainValue(placesOf(requests.document, schema))
      return [name, typeof value === 'string' ? value : JSON.stringify(value)] as const
    })

/** Those of the first alternative that the document declares: a value that a client cannot check, as nobody has agreed on a secret. */
export const madeCredentials = ({ security: [schemes = []] }: Operation): Headers =>
  schemes.flatMap(scheme => {
    const field = fieldOf(scheme)
    return field === null ? [] : [field]
  })

const fieldOf = (scheme: Scheme): readonly [string, string] | null => {
  if (scheme.kind === 'bearer') return ['Authorization', `Bearer ${made}`]
  if (scheme.kind === 'basic') return ['Authorization', `Basic ${btoa(`${made}:${made}`)}`]
  return scheme.kind === 'apiKey' && scheme.in === 'header' ? [scheme.key, made] : null
}

const made = 'plantstore'
