/** Orders that are paid, and then shipped: most of what can be asked of an order depends on what was done with it before. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Listening, listen } from '../listen.ts'
import { bodyOf, isJson, sendTo } from '../state/plant-server.ts'

export const token = 'token-of-orders-1'

type Order = {
  id: number
  item: string
  quantity: number
  total: number
  status: 'open' | 'paid' | 'shipped'
}
type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const text =
  (least: number, most: number): Check =>
  value =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most
const whole =
  (least: number, most: number): Check =>
  value =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most

const rules = {
  order: { item: text(1, 40), quantity: whole(1, 9) },
  payment: { amount: whole(0, 1_000_000), reference: text(3, 20) },
  shipment: {
    address: text(5, 80),
    express: (value: unknown) => value === undefined || typeof value === 'boolean',
  },
}

/** The body, if it is what a rule asks for; null if it is not. */
const checked = (
  request: IncomingMessage,
  body: string,
  rule: Readonly<Record<string, Check>>,
): Fields | null => {
  if (!isJson(request)) return null
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const fields = value as Fields
  return Object.entries(rule).every(([name, check]) => check(fields[name])) ? fields : null
}

/** `fault`: how it differs from a server that is as the document says. */
export const startOrders = (fault = ''): Promise<Listening> => {
  const orders = new Map<number, Order>()
  let next = 1
  /** Orders that somebody has tried to ship. */
  const attempted = new Set<number>()
  const is = (name: string): boolean => fault === name

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = sendTo(response)
    const fail = (status: number): void => send(status, { message: `status ${status}` })
    const body = await bodyOf(request)
    const { pathname } = new URL(request.url ?? '/', 'http://orders.test')
    const [, path = '', action = ''] = /^\/orders\/([^/]+)(?:\/(payment|shipment))?$/.exec(pathname) ?? []
    const order = orders.get(Number(path))
    const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const isOpenToAll = is('ships without a token') && action === 'shipment' && order?.status === 'paid'
    if (given !== token && !isOpenToAll) {
      const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
      response.setHeader('WWW-Authenticate', `Bearer realm="orders"${error}`)
      return fail(401)
    }
    if (pathname === '/orders' && request.method === 'POST') {
      const fields = checked(request, body, rules.order)
      if (fields === null) return fail(400)
      const { item, quantity } = fields as Pick<Order, 'item' | 'quantity'>
      const created: Order = { id: next++, item, quantity, total: quantity * 250, status: 'open' }
      if (is('takes orders for a hundred')) created.quantity = 100
      orders.set(created.id, created)
      return send(201, created)
    }
    if (path === '') return fail(404)
    if (!/^\d+$/.test(path) || Number(path) < 1 || Number(path) > 1_000_000_000) return fail(400)
    if (action === '' && request.method === 'GET') return order === undefined ? fail(404) : send(200, order)
    if (action === '' || request.method !== 'POST') return fail(404)
    const isPayment = action === 'payment'
    // Some look at the state first, and check what they are asked for only then, if at all.
    const isLate = fault.startsWith('looks at the state first')
    const before = isPayment ? 'open' : 'paid'
    if (isLate && order === undefined) return fail(404)
    if (isLate && order?.status !== before) return fail(409)
    const fields = checked(request, body, isPayment ? rules.payment : rules.shipment)
    const isUnchecked = is('looks at the state first, and does not check addresses') && !isPayment
    if (fields === null && is('looks at the state first, and crashes on addresses') && !isPayment)
      return fail(500)
    if (fields === null && !isUnchecked) return fail(400)
    if (order === undefined) return fail(404)
    if (order.status !== before && !(is('ships what is not paid') && !isPayment)) return fail(409)
    if (isPayment && fields?.amount !== order.total && !is('takes any amount')) return fail(409)
    const isFirst = !attempted.has(order.id)
    if (!isPayment) attempted.add(order.id)
    if (is('busy at first') && !isPayment && isFirst) return fail(409)
    order.status = isPayment ? 'paid' : 'shipped'
    if (is('forgets what was shipped') && !isPayment) orders.set(order.id, { ...order, status: 'paid' })
    if (is('answers with a text as total') && !isPayment)
      return send(200, { ...order, total: String(order.total) })
    send(200, order)
  }

  return listen(
    createServer((request, response) => {
      void answer(request, response)
    }),
  )
}
