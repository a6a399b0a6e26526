/** A service that names a collection by its name, and adds to it by its id, lists of equal length alone. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string' }
const rejected = { description: 'rejected' }
const collection = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
const vectors = { type: 'array', items: { type: 'array', items: { type: 'number' } } }
const points = {
  type: 'object',
  required: ['ids', 'vectors'],
  properties: {
    ids: { type: 'array', items: text },
    vectors: {
      anyOf: [{ type: 'array', items: text }, { type: 'array', items: { type: 'boolean' } }, vectors],
    },
  },
}
const parameters = [{ name: 'collection_id', in: 'path', required: true, schema: text }]
const document = {
  paths: {
    '/collections': {
      post: {
        operationId: 'create',
        requestBody: bodyOf({ type: 'object', required: ['name'], properties: { name: text } }),
        responses: { 201: shown(collection), 400: rejected },
      },
    },
    '/collections/{collection_id}': {
      parameters,
      get: { operationId: 'read', responses: { 200: shown(collection), 404: rejected } },
    },
    '/collections/{collection_id}/add': {
      parameters,
      post: { operationId: 'add', requestBody: bodyOf(points), responses: { 201: shown({}), 400: rejected } },
    },
  },
}

/** Requests by id that the search for a valid one takes. */
const ofTrial = 100

/** The type of the only vector beside the only id; null if there are others. */
const single = (sent: string): string | null => {
  const { ids, vectors: given } = objectIn(sent) ?? {}
  const isSingle = Array.isArray(ids) && Array.isArray(given) && ids.length === 1 && given.length === 1
  return isSingle ? (Array.isArray(given[0]) ? 'vector' : typeof given[0]) : null
}

/** `isOpen`: whether the service can add at all. */
const run = async (isOpen: boolean, seed: number) => {
  const byName = new Map<string, { readonly id: string; readonly name: string }>()
  const asked = { byId: 0, otherwise: 0 }
  const singles = new Set<string>()
  const { entries } = await verifyAnswering(
    document,
    ({ method, url, body: sent }) => {
      const [, , name = '', action] = decodeURIComponent(url.pathname).split('/')
      if (name === '') {
        const given = objectIn(sent)?.name
        if (method !== 'POST') return { status: 405 }
        if (typeof given !== 'string' || given === '') return { status: 400 }
        const made = { id: randomUUID(), name: given }
        byName.set(given, made)
        return { status: 201, body: made }
      }
      if (action === undefined) {
        const found = byName.get(name)
        return method !== 'GET'
          ? { status: 405 }
          : found === undefined
            ? { status: 404 }
            : { status: 200, body: found }
      }
      if (method !== 'POST' || action !== 'add') return { status: 405 }
      if (![...byName.values()].some(({ id }) => id === name)) {
        asked.otherwise += 1
        return { status: 400, body: { error: 'the collection id is not a valid UUID' } }
      }
      asked.byId += 1
      if (asked.byId <= ofTrial && single(sent) !== null) singles.add(String(single(sent)))
      const { ids, vectors: given } = objectIn(sent) ?? {}
      if (!Array.isArray(ids) || !Array.isArray(given))
        return { status: 400, body: { error: 'lists are missing' } }
      const isEven = ids.length === given.length && ids.length > 0 && given.every(Array.isArray)
      if (!isEven) return { status: 400, body: { error: 'inconsistent number of ids and vectors' } }
      return isOpen ? { status: 201, body: {} } : { status: 400, body: { error: 'adding is switched off' } }
    },
    { seed },
  )
  return {
    ...asked,
    singles,
    valid: entries.find(({ obligation }) => obligation.id === 'add/request/valid')?.verdict.kind,
  }
}

test.each([1, 2, 3, 4])(
  'a body of each alternative is tried with lists of one item, with seed %i',
  async seed => {
    expect((await run(true, seed)).valid).toMatch(/passed|failed/)
    expect((await run(false, seed)).singles).toEqual(new Set(['string', 'boolean', 'vector']))
  },
)

test('what came nearest is asked for from then on', async () => {
  const { byId, otherwise } = await run(false, 1)
  expect(byId).toBeGreaterThan(otherwise)
})
