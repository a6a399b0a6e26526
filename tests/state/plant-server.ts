import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../listen.ts'
import { type Fields, fieldsIn, looseFields } from './check-plant.ts'

export const token = 'green-thumb'

export type Plant = Fields & { readonly id: number }

/** How a server of plants differs from the plainest one. Lawful variants and faults are both written as such differences. */
export type Variant = {
  /** Statuses that the document leaves to the server. */
  readonly statusOfAbsent?: 404 | 410
  readonly deletes?: 'with 204' | 'with the plant' | 'by a mark' | 'by a mark in the list as well'
  readonly updatesEmpty?: boolean
  /** How it answers a name that no plant can have. */
  readonly wrongIds?: 400 | 404
  /** Plants that are there before the first request. */
  readonly already?: number
  /** Whether a DELETE of the list removes all plants. */
  readonly removesAll?: boolean
  readonly fault?: string
}

export type PlantServer = {
  readonly url: string
  readonly plants: ReadonlyMap<number, Plant>
  readonly close: () => Promise<void>
}

/** Ends a response, with a body in JSON if there is one. */
export const sendTo =
  (response: ServerResponse) =>
  (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): void => {
    if (body === undefined) response.writeHead(status, headers).end()
    else
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** The text of a body; what is not UTF-8 is no JSON. */
export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    return 'not UTF-8'
  }
}

export const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')

export const startPlants = async (variant: Variant = {}): Promise<PlantServer> => {
  const store = createPlants(variant)
  const server = createServer((request, response) => {
    void store.answer(request, response)
  })
  return { ...(await listen(server)), plants: store.plants }
}

const createPlants = ({
  statusOfAbsent = 404,
  deletes = 'with 204',
  updatesEmpty = false,
  wrongIds = 400,
  already = 0,
  removesAll = false,
  fault,
}: Variant) => {
  const is = (name: string): boolean => fault === name
  const plants = new Map<number, Plant>()
  const removed = new Map<number, Plant>()
  for (let id = 1; id <= already; id++) plants.set(id, { id, name: `old ${id}` })
  let next = already + 1
  let reads = 0
  let changes = 0

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = sendTo(response)
    const fail = (status: number): void => send(status, { error: `status ${status}` })
    const bytes = await bodyOf(request)
    const url = new URL(request.url ?? '/', 'http://plants.test')
    const { method = 'GET' } = request
    const isAllowed = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] === token
    const refused = (): void => {
      const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
      response.setHeader('WWW-Authenticate', `Bearer realm="plants"${error}`)
      fail(401)
    }
    if (!isAllowed && !is(`${method} without a token changes things`)) return refused()
    if (!isAllowed && method === 'PATCH')
      Object.assign(plants.get(Number(url.pathname.split('/')[2])) ?? {}, looseFields(bytes))
    if (!isAllowed && method === 'PUT')
      Object.assign(plants.get(Number(url.pathname.split('/')[2])) ?? {}, looseFields(bytes))
    if (!isAllowed && method === 'DELETE') plants.delete(Number(url.pathname.split('/')[2]))
    if (!isAllowed) return refused()

    const shown = (plant: Plant): Fields => {
      if (is('read leaves out height')) return without(plant, 'height')
      if (is('read leaves out false')) return plant.isEdible === false ? without(plant, 'isEdible') : plant
      if (is('read leaves out zero')) return plant.height === 0 ? without(plant, 'height') : plant
      if (is('read cuts names')) return { ...plant, name: String(plant.name).slice(0, 2) }
      if (is('read has upper case')) return { ...plant, name: String(plant.name).toUpperCase() }
      if (is('read sorts and doubles tags'))
        return Array.isArray(plant.tags) ? { ...plant, tags: [...plant.tags, 'x'] } : plant
      return plant
    }

    if (url.pathname === '/plants' && method === 'POST') {
      const fields = isJson(request) ? fieldsIn(bytes, true) : null
      if (fields === null) return fail(400)
      if (is('create forgets the plant')) return created({ ...fields, id: next++ })
      const id = is('create gives each plant the same id')
        ? 7
        : is('create gives ids out twice')
          ? Math.ceil(next++ / 2)
          : next++
      const kept: Plant = { ...stored(fields), id }
      plants.set(id, kept)
      if (is('create overwrites the plant before') && plants.has(id - 1))
        plants.set(id - 1, { ...kept, id: id - 1 })
      if (is('create shares the place'))
        for (const plant of plants.values())
          if (fields.place !== undefined) Object.assign(plant, { place: fields.place })
      if (is('create removes the oldest')) plants.delete(id - 1)
      return created({ ...fields, id })
    }
    function created(plant: Plant): void {
      const at = is('Location of the next plant') ? plant.id + 1 : plant.id
      send(201, is('create answers another id') ? { ...plant, id: plant.id + 5000 } : plant, {
        Location: is('Location is the collection') ? '/plants/0' : `/plants/${at}`,
      })
    }

    if (url.pathname === '/plants' && method === 'GET') {
      const limit = number(url.searchParams, 'limit', 10)
      const offset = number(url.searchParams, 'offset', 0)
      if (!is('list ignores a wrong limit') && (limit === null || limit < 1 || limit > 100)) return fail(400)
      if (!is('list ignores a wrong offset') && (offset === null || offset < 0)) return fail(400)
      if (is('list changes plants'))
        for (const plant of plants.values()) Object.assign(plant, { name: 'listed' })
      const all = listedPlants()
      const items = all.slice(offset ?? 0, (offset ?? 0) + (limit ?? 10))
      return send(200, {
        items: items.map(plant => (is('list has other names') ? { ...plant, name: 'listed' } : plant)),
        total: all.length,
      })
    }

    if (url.pathname === '/plants' && method === 'DELETE' && removesAll) {
      plants.clear()
      return send(204)
    }

    const [, path = '', more] = /^\/plants\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
    if (path === '' || more !== undefined) return fail(404)
    const id = /^-?\d+$/.test(path) ? Number(path) : Number.NaN
    if (!(id >= 1 && id <= 2147483647))
      return wrongIds === 404
        ? fail(404)
        : is('wrong ids are plants')
          ? send(200, { id: 1, name: 'x' })
          : fail(400)
    const plant = plants.get(id)

    if (method === 'GET') {
      reads += 1
      if (is('read finds whatever is asked for') && plant === undefined)
        return send(200, { id, name: 'unknown' })
      if (is('read crashes on what is unknown') && plant === undefined) return fail(500)
      if (is('read still finds what was removed') && removed.has(id))
        return send(200, without(removed.get(id) as Plant, 'status'))
      if (is('read finds nothing')) return fail(404)
      if (is('read gives the first plant'))
        return send(200, {
          ...shown([...plants.values()][0] ?? { id }),
          name: [...plants.values()][0]?.name ?? 'x',
        })
      if (plant === undefined)
        return removed.has(id) && deletes.startsWith('by a mark in')
          ? send(200, removed.get(id))
          : fail(statusOfAbsent)
      if (is('read removes what it gives')) plants.delete(id)
      if (is('read changes the name')) Object.assign(plant, { name: `${plant.name}${reads}`.slice(-40) })
      if (is('read clears the tags')) queueMicrotask(() => Object.assign(plant, { tags: [] }))
      if (is('read answers every third with 404') && reads % 3 === 0) return fail(404)
      return send(200, shown(plant))
    }

    if (method === 'PUT' || method === 'PATCH') {
      const isPut = method === 'PUT'
      const isLost = request.headers['transfer-encoding'] === 'chunked' && is('PATCH ignores chunked bodies')
      const fields = isLost && !isPut ? {} : isJson(request) ? fieldsIn(bytes, isPut) : null
      if (fields === null) {
        if (plant !== undefined && is(`${method} stores what it rejects`))
          Object.assign(plant, looseFields(bytes))
        if (plant !== undefined && is(`${method} clears what it rejects`))
          plants.set(id, { id, name: 'cleared' })
        if (plant !== undefined && is(`${method} removes what it rejects`)) plants.delete(id)
        return fail(400)
      }
      if (plant === undefined) return fail(statusOfAbsent)
      if (is(`${method} finds nothing`)) return fail(404)
      const base = isPut ? { id } : plant
      const changed: Plant = { ...base, ...fields, id } as Plant
      if (is(`${method} does nothing`)) return update(changed)
      if (is(`${method} forgets`)) {
        plants.set(id, { id, name: String(fields.name ?? plant.name) })
        return update(changed)
      }
      changes += 1
      if (is(`${method} changes all plants`) || (is(`${method} changes all plants at first`) && changes <= 4))
        for (const other of plants.values())
          plants.set(other.id, { ...other, ...fields, id: other.id } as Plant)
      if (is(`${method} changes the next plant`)) {
        const other = plants.get(id + 1) ?? plants.get(id - 1)
        if (other !== undefined) plants.set(other.id, { ...other, ...fields, id: other.id } as Plant)
      }
      if (is(`${method} removes the plant before`)) plants.delete(id - 1)
      if (is(`${method} loses the plant`)) {
        plants.delete(id)
        return update(changed)
      }
      if (is('PATCH replaces')) plants.set(id, { name: plant.name, ...fields, id })
      else if (is('PATCH sets what is left out to its default'))
        plants.set(id, {
          height: 0,
          isEdible: false,
          ...fields,
          name: fields.name ?? plant.name,
          id,
        } as Plant)
      else if (is('PATCH ignores false'))
        plants.set(id, {
          ...plant,
          ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== false && value !== 0)),
        } as Plant)
      else if (is('PUT adds up') && Array.isArray(fields.tags))
        plants.set(id, {
          ...changed,
          tags: [...((plant.tags as string[] | undefined) ?? []), ...(fields.tags as string[])],
        })
      else if (is('PUT counts up') && plant.height !== undefined)
        plants.set(id, { ...changed, height: Number(plant.height) + 1 })
      else
        plants.set(id, {
          ...changed,
          ...(is('PATCH stores names reversed') && fields.name !== undefined
            ? { name: [...String(fields.name)].reverse().join('') }
            : {}),
        })
      return update(plants.get(id) as Plant)
    }
    function update(plant: Plant): void {
      if (updatesEmpty) send(204)
      else send(200, plant)
    }

    if (method === 'DELETE') {
      if (is('a DELETE at the end fails')) return refused()
      if (plant === undefined) {
        if (is('a second DELETE crashes')) return fail(500)
        return fail(statusOfAbsent)
      }
      if (is('DELETE finds nothing')) return fail(404)
      if (!is('DELETE does nothing')) plants.delete(id)
      if (!is('DELETE does nothing')) removed.set(id, { ...plant, status: 'deleted' })
      if (is('DELETE removes only from the list')) plants.set(id, plant)
      if (is('DELETE removes the next plant as well')) plants.delete(id + 1)
      if (is('DELETE removes the plant before as well')) plants.delete(id - 1)
      if (is('DELETE removes all plants')) plants.clear()
      return deletes === 'with the plant' ? send(200, plant) : send(204)
    }
    response.setHeader('Allow', 'GET, PUT, PATCH, DELETE')
    fail(405)
  }

  const stored = (fields: Fields): Fields => {
    if (is('create loses optional properties')) return { name: fields.name }
    if (is('create loses the last property'))
      return Object.fromEntries(Object.entries(fields).slice(0, Math.max(1, Object.keys(fields).length - 1)))
    if (is('create stores false as true'))
      return { ...fields, ...(fields.isEdible === false ? { isEdible: true } : {}) }
    if (is('create rounds weights'))
      return {
        ...fields,
        ...(fields.weight === undefined ? {} : { weight: Math.round(Number(fields.weight)) + 1 }),
      }
    if (is('create empties places'))
      return { ...fields, ...(fields.place === undefined ? {} : { place: {} }) }
    if (is('create trims tags to one'))
      return { ...fields, ...(Array.isArray(fields.tags) ? { tags: fields.tags.slice(1) } : {}) }
    if (is('create stores names in lower case')) return { ...fields, name: 'q' }
    return fields
  }

  const listedPlants = (): readonly Plant[] => {
    const all = [...plants.values()].filter(
      ({ id }) => !(is('DELETE removes only from the list') && removed.has(id)),
    )
    if (is('list is always empty')) return []
    if (is('list leaves out the newest')) return all.slice(0, -1)
    if (is('list leaves out plants with a kind')) return all.filter(plant => plant.kind === undefined)
    if (is('list ends after ten')) return all.slice(0, 10)
    if (is('list has what was removed'))
      return [...all, ...removed.values()].map(plant => without(plant, 'status') as Plant)
    return deletes.startsWith('by a mark in') ? [...all, ...removed.values()] : all
  }

  return { plants, answer }
}

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

export const number = (query: URLSearchParams, name: string, usual: number): number | null => {
  const text = query.get(name)
  if (text === null) return usual
  return /^-?\d+$/.test(text) ? Number(text) : null
}
