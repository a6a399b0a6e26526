/** A run that has to end in time keeps the time that it takes to remove what it has created. */
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { shown } from '../conformance/judge/answering.ts'
import { listen } from '../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const thing = {
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'integer', minimum: 1 }, name: { type: 'string' } },
}
const answers = {
  200: shown({}),
  201: shown({}),
  204: { description: 'removed' },
  400: shown({}),
  404: shown({}),
}
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
const paths = {
  '/things': { post: { operationId: 'create', requestBody: bodyOf(thing), responses: answers } },
  '/things/{id}': {
    parameters: [id],
    get: { operationId: 'read', responses: answers },
    delete: { operationId: 'remove', responses: answers },
  },
}

/** Removes one after the other, each in so many milliseconds. */
const startStore = async (ms: number) => {
  const things = new Map<number, unknown>()
  let next = 1
  let removing = Promise.resolve()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const send = (status: number, value?: unknown): void => {
      response
        .writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
        .end(value === undefined ? undefined : JSON.stringify(value))
    }
    const key = Number(/^\/things\/([1-9]\d*)$/.exec(request.url ?? '')?.[1])
    if (request.url === '/things' && request.method === 'POST') {
      let value: { size?: unknown; name?: unknown } | null = null
      try {
        value = JSON.parse(text)
      } catch {}
      const { size, name = '' } = value ?? {}
      if (!Number.isInteger(size) || Number(size) < 1 || typeof name !== 'string') return send(400, {})
      things.set(next, { id: next, size })
      return send(201, things.get(next++))
    }
    if (Number.isNaN(key)) return send(400, {})
    if (request.method === 'GET') return things.has(key) ? send(200, things.get(key)) : send(404, {})
    if (request.method !== 'DELETE') return send(405)
    removing = removing.then(async () => {
      await delay(things.has(key) ? ms : 0)
      send(things.delete(key) ? 204 : 404, undefined)
    })
  })
  return { things, ...(await listen(server)) }
}

test.each([1])('removals of %d ms each leave nothing behind', async ms => {
  const { things, url, close } = await startStore(ms)
  const contract = await loadContract({ from: writeDocument('things.json', documentWith(paths)) })
  try {
    const { end, notes } = await verify({ target: url, contract, seed: 1, maxSeconds: 6, sustained: 0 })
    expect(end?.requests).toBeGreaterThan(50)
    expect([...things.keys()]).toEqual([])
    expect(notes.filter(({ message }) => message.includes('could not all be removed'))).toEqual([])
  } finally {
    await close()
  }
})
