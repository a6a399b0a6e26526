/** A server of orders, which takes keys and conditions, and of notes, which takes keys. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../listen.ts'
import { bodyOf, isJson } from '../state/plant-server.ts'

type Fields = Readonly<Record<string, unknown>>
type Kept = { readonly fields: Fields; readonly version: number }

type Answer = {
  readonly status: number
  readonly body?: Fields | readonly Fields[]
  readonly headers?: Readonly<Record<string, string>>
}

/** How a server differs from the plainest one. Faults and lawful variants are both written so. */
export type Variant = {
  /** What answers another body with a used key. */
  readonly reused?: 400 | 409 | 422
  /** Whether a request waits for the one with its key, or is refused as long as that is under way. */
  readonly atOnce?: 'waits' | 'refused'
  /** How ETags are made. */
  readonly tags?: 'of the content' | 'of the version' | 'weak' | 'none'
  /** Whether keys are one for all operations, so that another one refuses them. */
  readonly sharesKeys?: boolean
  /** Whether each text may be there only once. */
  readonly takesOnce?: boolean
  readonly fault?: string
}

export type OrderServer = {
  readonly url: string
  /** How many orders and notes there are. */
  readonly count: () => number
  /** The keys that came, each as often as it came. */
  readonly keys: readonly string[]
  /** `DELETE /orders/3 *` */
  readonly seen: readonly string[]
  readonly close: () => Promise<void>
}

export const startOrders = async (variant: Variant = {}): Promise<OrderServer> => {
  const { handle, ...shown } = createOrders(variant)
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  return { ...(await listen(server)), ...shown }
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' && [...value].length >= 1 && [...value].length <= 60

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  item: isText,
  text: isText,
  count: value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100,
  gift: value => typeof value === 'boolean',
}

/** The declared properties of a body; null if it is invalid. */
const fieldsIn = (text: string, names: readonly string[], required: string | null): Fields | null => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const given = value as Fields
  if (required !== null && !Object.hasOwn(given, required)) return null
  const known = names.filter(name => Object.hasOwn(given, name))
  return known.every(name => checks[name]?.(given[name]))
    ? Object.fromEntries(known.map(name => [name, given[name]]))
    : null
}

const orderFields = ['item', 'count', 'gift']

const createOrders = ({
  reused = 422,
  atOnce = 'waits',
  tags = 'of the content',
  sharesKeys = false,
  takesOnce = false,
  fault,
}: Variant) => {
  const is = (name: string): boolean => fault === name
  const orders = new Map<number, Kept>()
  const notes = new Map<number, Kept>()
  const uses = new Map<
    string,
    { readonly request: string; readonly answer: Promise<Answer>; isDone: boolean }
  >()
  const [keys, seen]: [string[], string[]] = [[], []]
  const next = { order: 1, note: 1, random: 1 }

  const failed = (status: number): Answer => ({
    status,
    body: {
      ...(is('problems have no status') ? {} : { status: is('problems have another status') ? 500 : status }),
      title: is('problems have a number for a title') ? status : `status ${status}`,
      type: is('problems have a type with spaces') ? 'no URI at all' : 'about:blank',
    },
  })

  const tagOf = ({ fields, version }: Kept): string => {
    if (is('the ETag never changes')) return '"always"'
    if (tags === 'of the version') return `"${version}"`
    const hash = createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 12)
    return tags === 'weak' ? `W/"${hash}"` : `"${hash}"`
  }

  const shownOrder = (id: number, kept: Kept): Fields => ({ orderId: id, ...kept.fields })
  const order = (status: number, id: number, kept: Kept): Answer => ({
    status,
    body: shownOrder(id, kept),
    headers: tags === 'none' ? {} : { ETag: tagOf(kept) },
  })

  const createOrder = (fields: Fields): Answer => {
    if (takesOnce && [...orders.values()].some(kept => kept.fields.item === fields.item)) return failed(409)
    const id = next.order++
    const kept = { fields, version: 1 }
    orders.set(id, kept)
    return order(201, id, kept)
  }
  const createNote = (fields: Fields): Answer => {
    const id = next.note++
    notes.set(id, { fields, version: 1 })
    return { status: 201, body: { noteId: id, ...fields } }
  }

  /** Answers by the key of a request, so that it is done once. */
  const once = async (
    key: string | undefined,
    operation: string,
    body: string,
    create: () => Answer,
  ): Promise<Answer> => {
    if (key === undefined || is('keys are ignored')) return create()
    keys.push(key)
    const use = sharesKeys || is('keys stand for any operation') ? key : `${operation} ${key}`
    const known = uses.get(use)
    const request = is('keys stand for any operation') ? body : `${operation} ${body}`
    if (known === undefined || is('keys are stored and not looked up')) {
      const isLate = is('keys are stored late')
      const answer = (async () => {
        // Whoever comes meanwhile has to wait.
        await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
        return create()
      })()
      const entry = { request, answer, isDone: false }
      if (isLate) await answer
      uses.set(use, entry)
      const done = await answer
      entry.isDone = true
      return done
    }
    if (is('keys stand for any operation')) return known.answer
    if (known.request !== request) {
      if (is('another body gets the first answer')) return known.answer
      if (is('another body is created as well')) return create()
      if (is('another body is refused and created')) {
        create()
        return failed(422)
      }
      if (is('another body crashes')) return failed(500)
      return failed(operation === 'note' ? 409 : reused)
    }
    if (!known.isDone && atOnce === 'refused') return failed(409)
    if (!known.isDone && is('the second at once crashes')) return failed(500)
    const answer = await known.answer
    if (is('the repetition creates another in silence')) create()
    if (is('the repetition gets 409')) return failed(409)
    if (is('the repetition gets 200')) return { ...answer, status: 200 }
    if (is('the repetition gets other values'))
      return { ...answer, body: { ...(answer.body as Fields), item: 'anything' } }
    return answer
  }

  /** Whether a condition holds for what is there. */
  const holds = (condition: string, kept: Kept): boolean => {
    if (condition.trim() === '*') return !is('the star is taken for an ETag')
    const tag = tagOf(kept)
    if (tag.startsWith('W/')) return false
    return condition.split(',').some(each => each.trim() === tag)
  }

  const answerOf = async (request: IncomingMessage, body: string): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? '/', 'http://orders.test')
    const { method = 'GET', headers } = request
    const key = headers['idempotency-key'] ?? headers['x-request-id']
    const oneKey = Array.isArray(key) ? key.join() : key
    if (oneKey !== undefined && (oneKey.length < 8 || oneKey.length > 64)) return failed(400)

    if (pathname === '/orders' && method === 'POST') {
      const fields = isJson(request) ? fieldsIn(body, orderFields, 'item') : null
      if (fields === null || headers['idempotency-key'] === undefined) return failed(400)
      return once(oneKey, 'order', JSON.stringify(fields), () => createOrder(fields))
    }
    if (pathname === '/orders' && method === 'GET')
      return { status: 200, body: [...orders].map(([id, kept]) => shownOrder(id, kept)) }
    if (pathname === '/notes' && method === 'POST') {
      const fields = isJson(request) ? fieldsIn(body, ['text'], 'text') : null
      if (fields === null) return failed(400)
      return once(
        headers['x-request-id'] === undefined ? undefined : oneKey,
        'note',
        JSON.stringify(fields),
        () => createNote(fields),
      )
    }

    const [, collection, path = '', more] = /^\/(orders|notes)\/([^/]+)(\/.*)?$/.exec(pathname) ?? []
    if (collection === undefined || more !== undefined) return failed(404)
    const id = /^\d+$/.test(path) ? Number(path) : Number.NaN
    if (!(id >= 1 && id <= 2147483647)) return failed(400)
    if (collection === 'notes') {
      const kept = notes.get(id)
      if (kept === undefined) return failed(404)
      if (method === 'GET') return { status: 200, body: { noteId: id, ...kept.fields } }
      if (method !== 'DELETE') return failed(405)
      notes.delete(id)
      return { status: 204 }
    }
    const kept = orders.get(id)
    const condition = headers['if-match']
    if (method === 'DELETE' && condition === undefined) return failed(400)
    const fields =
      method === 'PUT'
        ? fieldsIn(body, orderFields, 'item')
        : method === 'PATCH'
          ? fieldsIn(body, orderFields, null)
          : {}
    if (fields === null || (method.startsWith('P') && !isJson(request))) return failed(400)
    if (kept === undefined) return failed(404)

    if (method === 'GET') {
      const none = headers['if-none-match']
      const tag = tagOf(kept)
      const isSame =
        none !== undefined &&
        (none.trim() === '*' ||
          none.split(',').some(each => each.trim().replace(/^W\//, '') === tag.replace(/^W\//, '')))
      if (is('304 for any If-None-Match') && none !== undefined)
        return { status: 304, headers: { ETag: tag } }
      if (isSame && !is('If-None-Match is ignored')) return { status: 304, headers: { ETag: tag } }
      return order(200, id, kept)
    }
    const isMissing = method === 'PUT' && condition === undefined
    if (isMissing && !is('428 is never sent') && !is('428 and done')) return failed(428)
    const isUnmet = condition !== undefined && !is(`${method} ignores If-Match`) && !holds(condition, kept)
    const isRefused = isUnmet || (isMissing && is('428 and done'))
    if (isUnmet && !is(`${method} refuses and is done`)) return failed(412)
    if (is('the current ETag is refused') && condition?.startsWith('"') === true) return failed(412)
    if (method === 'DELETE') orders.delete(id)
    else
      orders.set(id, {
        fields: method === 'PUT' ? fields : { ...kept.fields, ...fields },
        version: kept.version + 1,
      })
    if (isRefused) return failed(isMissing ? 428 : 412)
    const changed = orders.get(id)
    return changed === undefined ? { status: 204 } : order(200, id, changed)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request
    seen.push(`${method} ${url} ${headers['if-match'] ?? headers['if-none-match'] ?? ''}`.trimEnd())
    const answer = await answerOf(request, await bodyOf(request))
    const type = answer.status >= 400 ? 'application/problem+json' : 'application/json'
    if (answer.body === undefined) response.writeHead(answer.status, answer.headers).end()
    else
      response
        .writeHead(answer.status, { 'Content-Type': type, ...answer.headers })
        .end(JSON.stringify(answer.body))
  }
  return { handle, keys, seen, count: () => orders.size + notes.size }
}
