/** A server of plants that belong to whoever created them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../listen.ts'
import { type Fields, fieldsIn } from '../state/check-plant.ts'
import { bodyOf, isJson, number, sendTo } from '../state/plant-server.ts'

export const owner = 'token-of-ann-1'
export const other = 'Marigold-77-Bobs'

type Plant = Fields & { readonly id: number }
/** What one user has. */
type Garden = Map<number, Plant>

/** How a server differs from the plainest one, which answers 404 for what is somebody else's. Faults and lawful variants are both written so. */
export type Variant = {
  readonly refusal?: 303 | 401 | 403 | 404 | 410
  /** Whether each user has plants 1, 2, 3, … */
  readonly countsForEach?: boolean
  /** Whether failures repeat the token of the request. */
  readonly echoes?: boolean
  /** How many plants the second user has before the first request. */
  readonly otherHas?: number
  readonly marksRemoved?: boolean
  /** Whether the second user may only read. */
  readonly otherReads?: boolean
  /** Whether what is somebody else's in a body is made one's own. */
  readonly fault?: string
}

export type GardenServer = {
  readonly url: string
  /** How many plants there are. */
  readonly count: () => number
  /** How many of them are older than the first request, and as they were. */
  readonly old: () => number
  /** What came, in order: `bob GET /plants/3`. */
  readonly seen: readonly string[]
  readonly close: () => Promise<void>
}

export const startGardens = async (variant: Variant = {}): Promise<GardenServer> => {
  const gardens = createGardens(variant)
  const server = createServer((request, response) => {
    void gardens.answer(request, response)
  })
  return { ...(await listen(server)), count: gardens.count, old: gardens.old, seen: gardens.seen }
}

const createGardens = ({
  refusal = 404,
  countsForEach,
  echoes,
  otherHas = 0,
  marksRemoved,
  otherReads,
  fault,
}: Variant) => {
  const is = (name: string): boolean => fault === name
  const users = new Map([
    [owner, { name: 'ann', plants: new Map() as Garden, next: 1 }],
    [other, { name: 'bob', plants: new Map() as Garden, next: 1 }],
  ])
  const bob = users.get(other)
  for (let id = 1; bob !== undefined && id <= otherHas; id++) {
    bob.plants.set(id, { id, name: `old ${id}` })
    bob.next = id + 1
  }
  const seen: string[] = []
  const cache = new Map<string, Plant>()
  let next = 1

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = sendTo(response)
    const fail = (status: number): void =>
      send(status, { error: `status ${status}${echoes === true ? ` for ${token}` : ''}` })
    const bytes = await bodyOf(request)
    const url = new URL(request.url ?? '/', 'http://gardens.test')
    const { method = 'GET' } = request
    const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const user = users.get(token)
    if (user === undefined) {
      const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
      response.setHeader('WWW-Authenticate', `Bearer realm="gardens"${error}`)
      return fail(401)
    }
    seen.push(`${user.name} ${method} ${url.pathname}`)
    if (otherReads === true && token === other && method !== 'GET') return fail(403)
    const everyone = [...users.values()].flatMap(({ plants }) => [...plants.values()])

    if (url.pathname === '/plants' && method === 'POST') {
      const fields = isJson(request) ? fieldsIn(bytes, true) : null
      if (fields === null) return fail(400)
      const id = countsForEach === true ? user.next++ : next++
      user.plants.set(id, { ...fields, id })
      return send(201, { ...fields, id }, { Location: `/plants/${id}` })
    }
    if (url.pathname === '/plants' && method === 'GET') {
      const limit = number(url.searchParams, 'limit', 10)
      const offset = number(url.searchParams, 'offset', 0)
      if (limit === null || limit < 1 || limit > 100 || offset === null || offset < 0) return fail(400)
      const isOpen = is('list gives all') || (is('list gives all in large pages') && limit > 50)
      const all = (isOpen ? everyone : [...user.plants.values()]).filter(({ status }) => status === undefined)
      const items = all.slice(offset, offset + limit)
      const shown = is('list gives all') ? items.map(({ id, name }) => ({ id, name })) : items
      return send(200, { items: shown, total: all.length })
    }

    const [, path = '', more] = /^\/plants\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
    if (path === '' || more !== undefined) return fail(404)
    const id = /^-?\d+$/.test(path) ? Number(path) : Number.NaN
    if (!(id >= 1 && id <= 2147483647)) return fail(400)
    const foreign = user.plants.has(id) ? undefined : [...users.values()].find(({ plants }) => plants.has(id))
    const refused = (): void => {
      if (foreign !== undefined && refusal === 401)
        response.setHeader('WWW-Authenticate', 'Bearer realm="gardens", error="invalid_token"')
      if (foreign !== undefined && refusal === 303) send(303, undefined, { Location: '/login' })
      else fail(foreign === undefined ? 404 : refusal)
    }
    const open = (isOpen: boolean): Garden => (isOpen && foreign !== undefined ? foreign.plants : user.plants)

    if (method === 'GET') {
      const cached = cache.get(url.pathname)
      if (is('read has a cache for all') && cached !== undefined) return send(200, cached)
      const isOpen = is('read gives all') || is('read hides some of it')
      const plant = open(isOpen).get(id)
      if (plant === undefined) {
        if (is('read crashes on what is foreign') && foreign !== undefined) return fail(500)
        if (is('read moves what is foreign') && foreign !== undefined) {
          user.plants.set(id, foreign.plants.get(id) as Plant)
          foreign.plants.delete(id)
        }
        return refused()
      }
      cache.set(url.pathname, plant)
      const { place, ...rest } = plant
      return send(
        200,
        is('read hides some of it') && foreign !== undefined ? { ...rest, kind: undefined } : plant,
      )
    }
    cache.delete(url.pathname)

    if (method === 'PUT' || method === 'PATCH') {
      const isPut = method === 'PUT'
      const fields = isJson(request) ? fieldsIn(bytes, isPut) : null
      if (fields === null) return fail(400)
      const garden = open(is(`${method} changes all`) || is(`${method} changes and refuses`))
      const plant = garden.get(id)
      if (plant === undefined) {
        if (is(`${method} takes over`) && foreign !== undefined) {
          foreign.plants.delete(id)
          user.plants.set(id, { ...fields, id } as Plant)
          return send(200, { name: 'taken', ...fields, id })
        }
        return refused()
      }
      const changed = { ...(isPut ? {} : plant), ...fields, id } as Plant
      garden.set(id, changed)
      return is(`${method} changes and refuses`) && foreign !== undefined ? refused() : send(200, changed)
    }
    if (method === 'DELETE') {
      const garden = open(
        is('DELETE removes all') || is('DELETE removes and refuses') || is('DELETE marks and refuses'),
      )
      const plant = garden.get(id)
      if (plant === undefined || plant.status !== undefined) return refused()
      if (marksRemoved === true || is('DELETE marks and refuses'))
        garden.set(id, { ...plant, status: 'deleted' })
      else garden.delete(id)
      return is('DELETE removes and refuses') || is('DELETE marks and refuses')
        ? foreign === undefined
          ? send(204)
          : refused()
        : send(204)
    }
    response.setHeader('Allow', 'GET, PUT, PATCH, DELETE')
    fail(405)
  }

  const all = (): readonly Plant[] => [...users.values()].flatMap(({ plants }) => [...plants.values()])
  return {
    answer,
    seen,
    count: () => all().length,
    old: () =>
      all().filter(({ id, name, ...rest }) => name === `old ${id}` && Object.keys(rest).length === 0).length,
  }
}
