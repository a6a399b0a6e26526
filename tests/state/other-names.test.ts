/** A service that finds, removes and tags boxes by their name, and fills and counts them by their id. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Json, loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const json = (schema: Json) => ({ content: { 'application/json': { schema } } })
const box = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
const operation = (operationId: string, done: Json, body: Json | null = null): Json => ({
  operationId,
  ...(body === null ? {} : { requestBody: { required: true, ...json(body) } }),
  responses: {
    200: { description: 'done', ...json(done) },
    ...Object.fromEntries([400, 404, 409].map(status => [status, { description: 'rejected' }])),
  },
})
const parameters = [{ name: 'box_id', in: 'path', required: true, schema: text }]
const number = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 1 } } }
const kind = { type: 'object', required: ['kind'], properties: { kind: text } }
const document = documentWith({
  '/boxes': {
    post: operation('createBox', box, { type: 'object', required: ['name'], properties: { name: text } }),
  },
  '/boxes/{box_id}': {
    parameters,
    get: operation('getBox', box),
    delete: operation('removeBox', {}),
  },
  '/boxes/{box_id}/count': { parameters, get: operation('countBox', number) },
  // It takes the name, and only some kinds: what is wrong is not the name.
  '/boxes/{box_id}/label': { parameters, post: operation('labelBox', number, kind) },
  '/boxes/{box_id}/fill': { parameters, post: operation('fillBox', number, number) },
  // It is asked when the others have found out by what they take a box.
  '/boxes/{box_id}/tags': {
    parameters,
    post: operation(
      'createTag',
      {},
      { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    ),
  },
  // Nobody creates stickers, so that any name is not found, in a box that is.
  '/boxes/{box_id}/stickers/{sticker}': {
    parameters: [...parameters, { name: 'sticker', in: 'path', required: true, schema: text }],
    get: operation('getSticker', number),
  },
})

test('each operation asks for what exists by the property that it takes', async () => {
  const boxes = new Map<string, { readonly id: string; readonly name: string }>()
  const tags = new Set<number>()
  let inBoxes = 0
  let isFirstKnown: boolean | null = null
  const answer = (method: string, url: string, body: unknown): readonly [number, unknown?] => {
    const [, kind, segment = '', action] = url.split('?')[0]?.split('/') ?? []
    let given = ''
    try {
      given = decodeURIComponent(segment)
    } catch {
      return [400]
    }
    if (kind !== 'boxes') return [404]
    if (segment === '') {
      if (method !== 'POST') return [405]
      const name = typeof body === 'object' && body !== null ? (body as { name?: unknown }).name : null
      if (typeof name !== 'string' || name === '' || name.length > 1000 || !name.isWellFormed()) return [400]
      const made = { id: randomUUID(), name }
      boxes.set(name, made)
      return [200, made]
    }
    if (action === undefined) {
      const found = boxes.get(given)
      if (method !== 'GET' && method !== 'DELETE') return [405]
      if (found === undefined) return [404]
      if (method === 'DELETE') boxes.delete(given)
      return [200, method === 'DELETE' ? {} : found]
    }
    if (action === 'tags') {
      if (method !== 'POST') return [405]
      if (!boxes.has(given)) return [404]
      const tag = typeof body === 'object' && body !== null ? (body as { id?: unknown }).id : null
      if (typeof tag !== 'number' || !Number.isInteger(tag)) return [400]
      isFirstKnown ??= tags.has(tag)
      return tags.has(tag) ? [409] : [tags.add(tag) && 200, {}]
    }
    if (action === 'label') {
      if (method !== 'POST') return [405]
      if (!boxes.has(given)) return [400, 'no such box']
      const is = typeof body === 'object' && body !== null ? (body as { kind?: unknown }).kind : null
      return is === 'small' || is === 'large'
        ? [200, { n: 1 }]
        : [400, 'kind must be one of "small", "large"']
    }
    if (method !== (action === 'fill' ? 'POST' : 'GET')) return [405]
    if (![...boxes.values()].some(({ id }) => id === given)) return [400]
    const n = typeof body === 'object' && body !== null ? (body as { n?: unknown }).n : null
    if (action === 'stickers') {
      inBoxes += 1
      return [404]
    }
    if (action === 'fill' && !(Number.isInteger(n) && (n as number) > 0)) return [400]
    return [200, { n: 1 }]
  }
  const server = createServer(async (request, response) => {
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    } catch {}
    const [status, value] = answer(request.method ?? '', request.url ?? '', body)
    response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
    response.end(value === undefined ? '' : JSON.stringify(value))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('boxes.json', document) })
  // The second run meets the tags of the first, and goes on with others in a session of its own.
  for (const isSecond of [false, true]) {
    isFirstKnown = null
    const { entries } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 600 })
    expect(isFirstKnown).toBe(isSecond)
    const passed = entries
      .filter(({ verdict }) => verdict.kind === 'passed')
      .map(({ obligation }) => obligation.id)
    expect(passed).toEqual(
      expect.arrayContaining([
        'getBox/request/valid',
        'removeBox/request/valid',
        'countBox/request/valid',
        'fillBox/request/valid',
        'labelBox/request/layout/whitespace',
        'fillBox/request/body/n/minimum',
        'createTag/request/valid',
      ]),
    )
  }
  expect(inBoxes).toBeGreaterThan(10)
  expect([...boxes.keys()]).toEqual([])
})
