/** Subscriptions: whoever makes one names a URL, and hears there when it is ready. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Listening, listen } from '../listen.ts'
import { bodyOf, isJson, sendTo } from '../state/plant-server.ts'

export const token = 'token-of-subscriptions-1'

type Subscription = {
  readonly id: number
  readonly topic: string
  readonly callbackUrl: string
  readonly limit?: number
}

/** What a lawful server sends, and how; a fault changes it. */
type Delivery = {
  readonly url: string
  readonly method: string
  readonly type: string
  readonly signed: boolean
  readonly body: Readonly<Record<string, unknown>>
}

const checked = (request: IncomingMessage, text: string): Omit<Subscription, 'id'> | null => {
  if (!isJson(request)) return null
  try {
    const value = JSON.parse(text)
    const { topic, callbackUrl, limit } = value
    const isTopic = typeof topic === 'string' && [...topic].length >= 3 && [...topic].length <= 40
    const isUrl = typeof callbackUrl === 'string' && URL.canParse(callbackUrl) && callbackUrl.length <= 400
    const isLimit = limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= 100)
    return isTopic && isUrl && isLimit && !Array.isArray(value)
      ? { topic, callbackUrl, ...(limit === undefined ? {} : { limit }) }
      : null
  } catch {
    return null
  }
}

/** `variant`: how it differs from a server that sends each callback once, right after the response. */
export const startSubscriptions = (variant = ''): Promise<Listening> => {
  const all = new Map<number, Subscription>()
  let isBroken = false
  let last: Subscription | undefined
  const is = (name: string): boolean => variant === name

  const deliver = async (subscription: Subscription, attempt = 1): Promise<void> => {
    const sent = faulty(subscription, {
      url: `${subscription.callbackUrl}/ready`,
      method: 'POST',
      type: 'application/json',
      signed: true,
      body: { subscription: subscription.id, topic: subscription.topic, state: 'ready' },
    })
    // Most URLs of a run are made up.
    if (!sent.url.startsWith('http://127.0.0.1:')) return
    const body = JSON.stringify(sent.body)
    const signature = createHmac('sha256', 'secret').update(body).digest('hex')
    const { status } = await fetch(sent.url, {
      method: sent.method,
      headers: {
        'Content-Type': sent.type,
        'X-Attempt': String(attempt),
        ...(sent.signed ? { 'X-Hook-Signature': signature } : {}),
      },
      body,
    })
    if (status === 503 && is('retries on 503') && attempt < 3) {
      await delay(50 * attempt)
      await deliver(subscription, attempt + 1)
    }
    if (status === 503 && (is('breaks on 503') || is('falls over on 503'))) isBroken = true
  }

  const faulty = (subscription: Subscription, right: Delivery): Delivery => {
    const { url, body } = right
    const other = last ?? subscription
    const origin = URL.canParse(url) ? new URL(url).origin : ''
    last = subscription
    const [first = subscription] = [...all.values()].filter(each =>
      each.callbackUrl.startsWith('http://127.0.0.1:'),
    )
    switch (variant) {
      case 'another path':
        return { ...right, url: `${subscription.callbackUrl}/done` }
      case 'a path of its own':
        return { ...right, url: `${origin}/ready` }
      case 'another method':
        return { ...right, method: 'PUT' }
      case 'a body that breaks the schema':
        return { ...right, body: { ...body, state: 'READY' } }
      case 'a body without topics of some length':
        return subscription.topic.length > 20 ? { ...right, body: { ...body, topic: undefined } } : right
      case 'another media type':
        return { ...right, type: 'text/plain' }
      case 'no credentials':
        return { ...right, signed: false }
      case 'the first URL ever':
        return { ...right, url: `${first.callbackUrl}/ready` }
      case 'the body of another':
        return { ...right, body: { ...body, subscription: other.id, topic: other.topic } }
      default:
        return right
    }
  }

  /** Sends what is due, and ignores what becomes of it. */
  const send = async (subscription: Subscription): Promise<void> => {
    if (is('nothing')) return
    if (is('late')) await delay(300)
    await deliver(subscription).catch(() => {})
    if (is('twice')) await deliver(subscription).catch(() => {})
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const respond = sendTo(response)
    const fail = (status: number): void => respond(status, { message: `status ${status}` })
    const body = await bodyOf(request)
    const { pathname } = new URL(request.url ?? '/', 'http://subscriptions.test')
    if (isBroken) {
      // Another process takes over.
      if (is('falls over on 503')) isBroken = false
      return fail(500)
    }
    const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const fields = checked(request, body)
    if (given !== token) {
      if (is('also after a 401') && fields !== null) void send({ id: 0, ...fields })
      const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
      response.setHeader('WWW-Authenticate', `Bearer realm="subscriptions"${error}`)
      return fail(401)
    }
    if (pathname === '/subscriptions' && request.method === 'POST') {
      if (fields === null) {
        if (is('also after a 400')) void sendUnchecked(body)
        return fail(400)
      }
      const subscription = { id: 1000 + all.size, ...fields }
      all.set(subscription.id, subscription)
      if (is('before the response')) await send(subscription)
      respond(201, subscription)
      if (!is('before the response')) void send(subscription)
      return
    }
    const [, path = ''] = /^\/subscriptions\/([^/]+)$/.exec(pathname) ?? []
    if (path === '' || request.method !== 'GET') return fail(404)
    if (!/^\d+$/.test(path) || Number(path) < 1) return fail(400)
    const found = all.get(Number(path))
    if (found === undefined) return fail(404)
    respond(200, found)
  }

  const sendUnchecked = async (body: string): Promise<void> => {
    try {
      const { callbackUrl, topic } = JSON.parse(body)
      await send({ id: 0, callbackUrl, topic })
    } catch {
      // It is not JSON.
    }
  }

  return listen(
    createServer((request, response) => {
      void answer(request, response)
    }),
  )
}
