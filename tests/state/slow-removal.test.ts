/** A run that has to end in time keeps the time that it takes to remove what it has created, and a server that is busy does not keep it from that. */
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { usualAnswers as answers } from '../conformance/judge/answering.ts'
import { listen } from '../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const thing = {
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'integer', minimum: 1 }, name: { type: 'string' } },
}
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
const pathsOf = (kind: string) => ({
  [`/${kind}`]: { post: { operationId: `create_${kind}`, requestBody: bodyOf(thing), responses: answers } },
  [`/${kind}/{id}`]: {
    parameters: [id],
    get: { operationId: `read_${kind}`, responses: answers },
    delete: { operationId: `remove_${kind}`, responses: answers },
  },
})

type Store = ReadonlyMap<string, Map<number, unknown>>

type Behaviour = {
  /** Removes one after the other, each in so many milliseconds. */
  readonly ms?: number
  /** Whether it says instead that it is busy. */
  readonly isBusy?: (store: Store) => boolean
}

const startStore = async (kinds: readonly string[], { ms = 0, isBusy = () => false }: Behaviour) => {
  const store: Store = new Map(kinds.map(kind => [kind, new Map<number, unknown>()]))
  let [next, most] = [1, 0]
  let removing = Promise.resolve()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const send = (status: number, value?: unknown): void => {
      response
        .writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
        .end(value === undefined ? undefined : JSON.stringify(value))
    }
    const [, kind = '', name] = /^\/([a-z]+)(?:\/([1-9]\d*))?$/.exec(request.url ?? '') ?? []
    const all = store.get(kind)
    if (all === undefined) return send(400, {})
    if (name === undefined) {
      if (request.method !== 'POST') return send(405)
      let value: { size?: unknown; name?: unknown } | null = null
      try {
        value = JSON.parse(text)
      } catch {}
      const { size, name: called = '' } = value ?? {}
      if (!Number.isInteger(size) || Number(size) < 1 || typeof called !== 'string') return send(400, {})
      all.set(next, { id: next, size })
      most = Math.max(most, all.size)
      return send(201, all.get(next++))
    }
    const key = Number(name)
    if (request.method === 'GET') return all.has(key) ? send(200, all.get(key)) : send(404, {})
    if (request.method !== 'DELETE') return send(405)
    if (isBusy(store)) return send(503, {})
    removing = removing.then(async () => {
      await delay(all.has(key) ? ms : 0)
      send(all.delete(key) ? 204 : 404, undefined)
    })
  })
  return {
    left: () => [...store.values()].flatMap(all => [...all.keys()]),
    most: () => most,
    ...(await listen(server)),
  }
}

const verifyStore = async (kinds: readonly string[], behaviour: Behaviour, options: object) => {
  const { url, close, left, most } = await startStore(kinds, behaviour)
  const paths = Object.assign({}, ...kinds.map(pathsOf))
  const contract = await loadContract({ from: writeDocument(`${kinds.join('-')}.json`, documentWith(paths)) })
  try {
    const { end, notes } = await verify({ target: url, contract, seed: 1, sustained: 0, ...options })
    expect(end?.requests).toBeGreaterThan(50)
    expect(left()).toEqual([])
    expect(notes.filter(({ message }) => message.includes('could not all be removed'))).toEqual([])
    return most()
  } finally {
    await close()
  }
}

test('removals of a millisecond each leave nothing behind, and there is never much to remove', async () => {
  expect(await verifyStore(['things'], { ms: 1 }, { maxSeconds: 6 })).toBeLessThan(120)
})

test('a server that is busy nine times in ten is asked until nothing is left', async () => {
  let asked = 0
  const isBusy = (store: Store): boolean => store.get('automations')?.size !== 0 && ++asked % 10 !== 0
  await verifyStore(['automations', 'things'], { isBusy }, { cases: 150 })
})
