/** Orders, and webhooks that tell of them to whoever has given a URL. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Listening, listen } from '../listen.ts'
import { bodyOf, isJson, sendTo } from '../state/plant-server.ts'

type Delivery = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const objectIn = (request: IncomingMessage, text: string): Readonly<Record<string, unknown>> | null => {
  if (!isJson(request)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

type Hook = { readonly url: string; readonly events: readonly string[] }
const events = ['order.created', 'order.removed']

const hookIn = (value: Readonly<Record<string, unknown>> | null): Hook | null => {
  const { url }: { url?: unknown } = { ...(value?.config as object | undefined) }
  const { events: asked = events, active = true } = value ?? {}
  const isRight =
    typeof url === 'string' &&
    url.length <= 400 &&
    URL.canParse(url) &&
    Array.isArray(asked) &&
    asked.every(event => events.includes(event)) &&
    typeof active === 'boolean'
  return isRight ? { url, events: asked } : null
}

/** `variant`: how it differs from a server whose webhooks are as declared. */
export const startOrders = (variant = ''): Promise<Listening> => {
  const hooks = new Map<number, Hook>()
  const orders = new Set<number>()
  let next = 1
  const is = (name: string): boolean => variant === name

  const faulty = (event: string, right: Delivery): Delivery => {
    const isCreated = event === 'order.created'
    const body = right.body as { readonly order: object }
    switch (variant) {
      case 'a total as text':
        return isCreated ? { ...right, body: { event, order: { ...body.order, total: '7' } } } : right
      case 'no order':
        return isCreated ? { ...right, body: { event } } : right
      case 'an id as text':
        return isCreated ? right : { ...right, body: { event, id: 'seven' } }
      case 'another method':
        return { ...right, method: 'PUT' }
      case 'another media type':
        return { ...right, headers: { ...right.headers, 'Content-Type': 'text/plain' } }
      case 'another path':
        return { ...right, url: `${right.url}/events` }
      case 'no delivery id':
        return { ...right, headers: { 'Content-Type': 'application/json', 'X-Hook-Signature': 'abc' } }
      case 'a delivery id that is none':
        return { ...right, headers: { ...right.headers, 'X-Delivery': '17' } }
      case 'no signature':
        return {
          ...right,
          headers: { 'Content-Type': 'application/json', 'X-Delivery': randomUUID() },
        }
      case 'a list':
        return isCreated ? { ...right, body: [right.body] } : right
      default:
        return right
    }
  }

  const tell = async (event: string, body: object): Promise<void> => {
    if (is('late')) await delay(200)
    if (is('nothing')) return
    for (const hook of hooks.values()) {
      // Most URLs of a run are made up.
      if (!hook.url.startsWith('http://127.0.0.1:') || !hook.events.includes(event)) continue
      const {
        url,
        method,
        headers,
        body: sent,
      } = faulty(event, {
        url: hook.url,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Hook-Signature': 'abc',
          'X-Delivery': randomUUID(),
        },
        body: { event, ...body },
      })
      const options = { method, headers, body: JSON.stringify(sent) }
      await fetch(url, options).catch(() => {})
      if (is('also a ping'))
        await fetch(url, { ...options, body: '{"event":"ping","zen":1}' }).catch(() => {})
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const respond = sendTo(response)
    const fail = (status: number): void => respond(status, { message: `status ${status}` })
    const value = objectIn(request, await bodyOf(request))
    const { pathname } = new URL(request.url ?? '/', 'http://orders.test')
    if (request.method === 'POST' && pathname === '/hooks') {
      const hook = hookIn(value)
      if (hook === null) return fail(400)
      hooks.set(next, hook)
      return respond(201, { id: next++ })
    }
    if (request.method === 'POST' && pathname === '/orders') {
      const { total } = value ?? {}
      if (!Number.isInteger(total) || Number(total) < 1 || Number(total) > 1000) return fail(400)
      const order = { id: next++, total }
      orders.add(order.id)
      respond(201, order)
      return tell('order.created', { order })
    }
    const [, kind = '', text = ''] = /^\/(orders|hooks)\/([^/]+)$/.exec(pathname) ?? []
    if (request.method !== 'DELETE' || kind === '') return fail(404)
    if (!/^[1-9]\d*$/.test(text)) return fail(400)
    const id = Number(text)
    const isThere = kind === 'orders' ? orders.delete(id) : hooks.delete(id)
    if (!isThere) return fail(404)
    response.writeHead(204).end()
    if (kind === 'orders') await tell('order.removed', { id })
  }

  return listen(
    createServer((request, response) => {
      void answer(request, response)
    }),
  )
}
