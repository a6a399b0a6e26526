import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { type Fields, fieldNames, fieldsIn, looseFields } from './check-plant.ts'
import { bodyOf, isJson, number, type Plant, type PlantServer, sendTo, token } from './plant-server.ts'

/** Faults that come with a database, each with the obligation that has to find it. */
export const sqliteFaults: readonly (readonly [fault: string, obligation: string])[] = [
  ['weights are cut to integers', 'createPlant/state/stored'],
  ['heights are cut to a byte', 'createPlant/state/stored'],
  ['names are trimmed', 'createPlant/state/stored'],
  ['names are stored as ASCII', 'createPlant/state/stored'],
  ['tags are joined with commas', 'createPlant/state/stored'],
  ['two requests at a time get one id', 'createPlant/state/apart'],
  ['the list is a copy', 'listPlants/state/contains'],
  ['an update has no WHERE', 'replacePlant/state/apart'],
  ['a rejected change is not rolled back', 'changePlant/state/rejected'],
  ['a change is INSERT OR REPLACE', 'changePlant/state/kept'],
  ['a cache outlives a change', 'changePlant/state/stored'],
  ['a cache outlives a removal', 'deletePlant/state/gone'],
]

type Row = Record<string, SQLInputValue>

/**
 * A server of plants in a table, with a cache; new plants may get the ids of removed ones; if it `givesAgain`, each gets the lowest
 * free id, also before the removal is answered.
 */
export const startSqlitePlants = async (fault = '', givesAgain = false): Promise<PlantServer> => {
  const table = openTable(fault)
  const answer = createHandler(table, fault, givesAgain)
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get plants() {
      return new Map(table.page(-1, 0).map(plant => [plant.id, plant]))
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      table.close()
    },
  }
}

const openTable = (fault: string) => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    'CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, height INTEGER, weight REAL, isEdible INTEGER, tags TEXT, place TEXT)',
  )
  const isJoined = fault === 'tags are joined with commas'

  const columnsOf = (fields: Fields): Row =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, columnOf(name, value)]))
  const columnOf = (name: string, value: unknown): SQLInputValue => {
    if (value === null) return null
    if (name === 'name' && fault === 'names are trimmed') return String(value).trim()
    if (name === 'name' && fault === 'names are stored as ASCII') return String(value).replace(/[^ -~]/g, '?')
    if (name === 'weight' && fault === 'weights are cut to integers') return Math.trunc(Number(value))
    if (name === 'height' && fault === 'heights are cut to a byte') return Number(value) & 255
    if (name === 'tags' && isJoined) return (value as string[]).join(',')
    if (typeof value === 'boolean') return Number(value)
    return typeof value === 'object' ? JSON.stringify(value) : (value as string | number)
  }
  const plantOf = (row: Row): Plant => {
    const given = Object.entries(row).filter(([, value]) => value !== null)
    return Object.fromEntries(given.map(([name, value]) => [name, fieldOf(name, value)])) as Plant
  }
  const fieldOf = (name: string, value: SQLInputValue): unknown => {
    if (name === 'isEdible') return value === 1
    if (name === 'tags' && isJoined) return String(value).split(',')
    return name === 'tags' || name === 'place' ? JSON.parse(String(value)) : value
  }
  const put = (fields: Fields): void => {
    const row = columnsOf(fields)
    const names = Object.keys(row)
    const text = `INSERT OR REPLACE INTO plants (${names}) VALUES (${names.map(() => '?')})`
    database.prepare(text).run(...Object.values(row))
  }
  return {
    put,
    update: (id: number, fields: Fields): void => {
      const row = columnsOf(fields)
      const names = Object.keys(row)
      if (names.length === 0) return
      const where = fault === 'an update has no WHERE' ? '?' : 'id = ?'
      const text = `UPDATE plants SET ${names.map(name => `${name} = ?`)} WHERE ${where}`
      database.prepare(text).run(...Object.values(row), id)
    },
    find: (id: number): Plant | undefined => {
      const row = database.prepare('SELECT * FROM plants WHERE id = ?').get(id)
      return row === undefined ? undefined : plantOf(row)
    },
    page: (limit: number, offset: number): readonly Plant[] =>
      database
        .prepare('SELECT * FROM plants ORDER BY id LIMIT ? OFFSET ?')
        .all(limit, Math.min(offset, Number.MAX_SAFE_INTEGER))
        .map(plantOf),
    remove: (id: number): void => void database.prepare('DELETE FROM plants WHERE id = ?').run(id),
    nextId: (): number =>
      Number(database.prepare('SELECT ifnull(max(id), 0) + 1 AS id FROM plants').get()?.id),
    freeId: (): number =>
      Number(
        database
          .prepare(
            'SELECT min(id) AS id FROM (SELECT 1 AS id UNION ALL SELECT id + 1 FROM plants) WHERE id NOT IN (SELECT id FROM plants)',
          )
          .get()?.id,
      ),
    count: (): number => Number(database.prepare('SELECT count(*) AS count FROM plants').get()?.count),
    close: () => database.close(),
  }
}

const createHandler = (table: ReturnType<typeof openTable>, fault: string, givesAgain: boolean) => {
  const cache = new Map<number, Plant>()
  let copy: readonly Plant[] | null = null
  const forget = (id: number, isRemoved: boolean): void => {
    if (fault !== `a cache outlives a ${isRemoved ? 'removal' : 'change'}`) cache.delete(id)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = sendTo(response)
    const fail = (status: number): void => send(status, { error: `status ${status}` })
    const text = await bodyOf(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://plants.test')
    const { method = 'GET', headers } = request
    if (/^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] !== token) {
      const error = headers.authorization === undefined ? '' : ', error="invalid_token"'
      response.setHeader('WWW-Authenticate', `Bearer realm="plants"${error}`)
      return fail(401)
    }

    if (pathname === '/plants' && method === 'POST') {
      const fields = isJson(request) ? fieldsIn(text, true) : null
      if (fields === null) return fail(400)
      const id = givesAgain ? table.freeId() : table.nextId()
      if (fault === 'two requests at a time get one id') await setTimeout(10)
      table.put({ ...fields, id })
      return send(201, { ...fields, id }, { Location: `/plants/${id}` })
    }
    if (pathname === '/plants' && method === 'GET') {
      const limit = number(searchParams, 'limit', 10)
      const offset = number(searchParams, 'offset', 0)
      if (limit === null || limit < 1 || limit > 100 || offset === null || offset < 0) return fail(400)
      if (fault === 'the list is a copy') copy ??= table.page(-1, 0)
      const items = copy?.slice(offset, offset + limit) ?? table.page(limit, offset)
      return send(200, { items, total: copy?.length ?? table.count() })
    }

    const [, path = ''] = /^\/plants\/([^/]+)$/.exec(pathname) ?? []
    if (path === '') return fail(404)
    const id = /^\d+$/.test(path) ? Number(path) : 0
    if (id < 1 || id > 2147483647) return fail(400)
    const plant = table.find(id)
    if (method === 'GET') {
      const found = cache.get(id) ?? plant
      if (found === undefined) return fail(404)
      cache.set(id, found)
      return send(200, found)
    }
    if (method === 'PUT' || method === 'PATCH') {
      const fields = isJson(request) ? fieldsIn(text, method === 'PUT') : null
      if (fields === null) {
        if (fault === 'a rejected change is not rolled back') changeInPart(table, id, looseFields(text))
        cache.delete(id)
        return fail(400)
      }
      if (plant === undefined) return fail(404)
      const absent = Object.fromEntries(fieldNames.map(name => [name, null]))
      if (method === 'PATCH' && fault === 'a change is INSERT OR REPLACE') table.put({ ...fields, id })
      else table.update(id, method === 'PUT' ? { ...absent, ...fields } : fields)
      if (fault === 'an update has no WHERE') cache.clear()
      forget(id, false)
      return send(200, { ...(method === 'PUT' ? {} : plant), ...fields, id })
    }
    if (method === 'DELETE') {
      if (plant === undefined) return fail(404)
      table.remove(id)
      forget(id, true)
      if (givesAgain) await setTimeout(5)
      return send(204)
    }
    response.setHeader('Allow', 'GET, PUT, PATCH, DELETE')
    fail(405)
  }
}

/** Stores one property after the other, until one is invalid. */
const changeInPart = (table: ReturnType<typeof openTable>, id: number, fields: Fields): void => {
  for (const [name, value] of Object.entries(fields)) {
    const valid = fieldsIn(JSON.stringify({ [name]: value }), false)
    if (valid === null) return
    table.update(id, valid)
  }
}
