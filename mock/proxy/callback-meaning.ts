import {
  type Arrival,
  type Callback,
  type Contract,
  callbackTarget,
  callbackWeight,
  createCallbackJudge,
  type Exchange,
  meantWebhook,
  type ReceivedCallback,
  secretName,
  sentBy,
  webhooksTo,
} from '../../spec/index.ts'
import { noBody } from '../engine/compiled-response.ts'

/** Which callback or webhook came, and what it breaks; `owner`: the operation whose request gave its URL, null if the document names none. */
export type Meant = {
  readonly owner: string | null
  readonly callback: Callback
  readonly received: ReceivedCallback
  /** The request that gave its URL, and the response; null: it did not come through the proxy. */
  readonly cause: Exchange | null
}

export type CallbackMeaning = {
  /** A request for this operation was accepted: callbacks may come to the URLs that it gave. */
  readonly expect: (operation: string, exchange: Exchange) => void
  /** What a request is, as far as it is known now; null: nothing that is declared. */
  readonly now: (arrival: Arrival) => Meant | null
  /** The same, once the request that it comes after was answered. */
  readonly later: (arrival: Arrival) => Promise<Meant | null>
}

/** A request that was accepted, whose URL for a callback is one of ours. */
type Expected = {
  readonly owner: string
  readonly callback: Callback
  readonly exchange: Exchange
  /** The path at which its callback is to come. */
  readonly path: string
}

/** So many URLs are remembered, those of the last requests. */
const mostExpected = 1000
/** A callback may come before the response to its request: so many milliseconds it waits for that. */
const patience = 2000

/** `base`: what the URLs begin with that lead here. */
export const createCallbackMeaning = (
  contract: Contract,
  secrets: Readonly<Record<string, string>>,
  base: () => string,
  closing: AbortSignal,
): CallbackMeaning => {
  const expected: Expected[] = []
  /** The last accepted request for each operation that may ask for webhooks. */
  const last = new Map<string, Exchange>()
  /** Called whenever a request was accepted. */
  const waiting = new Set<() => void>()
  const byName = new Map(Object.entries(secrets).map(([name, secret]) => [secretName(name), secret]))
  const judgeOf = (all: readonly Callback[]) =>
    createCallbackJudge(contract, all, scheme => byName.get(secretName(scheme)) ?? null)
  const operations = new Map(
    contract.operations.map(operation => {
      const callbacks = sentBy(contract, operation)
      return [operation.id, { callbacks, judge: judgeOf(callbacks) }] as const
    }),
  )
  const owners = [...operations].flatMap(([owner, { callbacks }]) =>
    callbacks.map(({ name, isWebhook }) => ({ owner, name, isWebhook })),
  )
  const judgeWebhook = judgeOf(webhooksTo(contract, '{$url}'))
  const hasCallbacks = owners.some(({ isWebhook }) => !isWebhook)

  /** The callback that is due at its path, or at one that only ends in another way; the one that it breaks least; null: none is. */
  const due = (arrival: Arrival, partOf: (path: string) => string = path => path): Meant | null => {
    const path = partOf(pathIn(arrival.target))
    const judged = expected.flatMap(({ owner, callback, exchange, path: dueAt }): readonly Meant[] => {
      if (partOf(dueAt) !== path) return []
      const all = operations.get(owner)?.judge(arrival, base(), exchange) ?? []
      return all.flatMap(received =>
        received.callback === callback ? [{ owner, callback, received, cause: exchange }] : [],
      )
    })
    return (
      judged.toSorted((left, right) => callbackWeight(left.received) - callbackWeight(right.received))[0] ??
      null
    )
  }

  /** Nobody says where a webhook has to go to, so it may come to any path. */
  const asWebhook = (arrival: Arrival): Meant | null => {
    const received = meantWebhook(judgeWebhook(arrival, base(), { ...nothing, url: base() + arrival.target }))
    if (received === null) return null
    const { callback } = received
    const found = owners.find(({ isWebhook, name }) => isWebhook && name === callback.name)
    const owner = found?.owner ?? null
    return { owner, callback, received, cause: last.get(owner ?? '') ?? null }
  }

  const now = (arrival: Arrival): Meant | null =>
    due(arrival) ?? asWebhook(arrival) ?? due(arrival, withoutEnd)

  return {
    expect: (owner, exchange) => {
      if (operations.get(owner)?.callbacks.some(({ isWebhook }) => isWebhook) === true)
        last.set(owner, exchange)
      for (const callback of operations.get(owner)?.callbacks ?? []) {
        const target = callback.isWebhook ? null : callbackTarget(callback, base(), exchange)
        if (target !== null) expected.push({ owner, callback, exchange, path: pathIn(target) })
      }
      expected.splice(0, expected.length - mostExpected)
      for (const look of [...waiting]) look()
    },
    now,
    later: arrival =>
      new Promise(resolve => {
        const end = (): void => {
          clearTimeout(timer)
          waiting.delete(look)
          closing.removeEventListener('abort', end)
          resolve(now(arrival))
        }
        const look = (): void => {
          if (!hasCallbacks || due(arrival) !== null) end()
        }
        const timer = setTimeout(end, patience)
        waiting.add(look)
        closing.addEventListener('abort', end)
        look()
      }),
  }
}

const pathIn = (target: string): string => new URL(`http://listener${target}`).pathname

/** `/hooks/7/ready` → `/hooks/7` */
const withoutEnd = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const nothing: Exchange = {
  ...{ url: '', method: 'POST', status: 0, path: {}, request: { headers: [], body: null } },
  response: { headers: [], body: noBody },
}
