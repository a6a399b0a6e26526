/** A service as FastAPI applications are: what refers to others, and 201 where the document has only 200. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Json, loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const uuid = { type: 'string', format: 'uuid' }
const json = (schema: Json) => ({ content: { 'application/json': { schema } } })
const object = (required: readonly string[], properties: Record<string, Json>): Json => ({
  type: 'object',
  required,
  properties,
})
const instance = (id: string, body: Json, result: Json): Json => ({
  post: {
    operationId: `create${id}`,
    requestBody: { required: true, ...json(body) },
    responses: {
      200: { description: 'created', ...json(result) },
      409: { description: 'it refers to nothing' },
      415: { description: 'not JSON' },
      422: { description: 'invalid' },
    },
  },
})
const item = (id: string, result: Json): Json => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: uuid }],
  get: {
    operationId: `get${id}`,
    responses: {
      200: { description: 'it', ...json(result) },
      404: { description: 'none' },
      422: { description: 'invalid' },
    },
  },
  delete: {
    operationId: `remove${id}`,
    responses: {
      204: { description: 'gone' },
      404: { description: 'none' },
      422: { description: 'invalid' },
    },
  },
})
const flow = object(['id', 'name'], { id: uuid, name: { type: 'string' } })
const runOf = object(['id', 'flow_id'], { id: uuid, flow_id: uuid, note: { type: 'string' } })
const document = documentWith({
  // What refers comes first, as nobody orders a document by need.
  '/runs': instance('Run', object(['flow_id'], { flow_id: uuid, note: { type: 'string' } }), runOf),
  '/runs/{id}': item('Run', runOf),
  '/flows': instance('Flow', object(['name'], { name: { type: 'string' } }), flow),
  '/flows/{id}': item('Flow', flow),
})

const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** `busy`: so many of the first requests that create a run are answered 503. `from`: the paths are as the document has them. */
const run = async ({ busy = 0, from = document } = {}) => {
  const stored = { flows: new Map<string, Json>(), runs: new Map<string, Json>() }
  const created = { flows: 0, runs: 0 }
  let rejected = 0
  let left = busy
  const answer = (
    method: string,
    url: string,
    type: string,
    text: string | null,
  ): readonly [number, (Json | undefined)?] => {
    const [, kind = '', id] = url.replace(/^\/(flow|run)\//, '/$1s/').split('/')
    if (kind !== 'flows' && kind !== 'runs') return [404]
    if (id !== undefined) {
      if (!isUuid(id)) return [422]
      if (!stored[kind].has(id)) return [404]
      if (method !== 'DELETE') return [200, stored[kind].get(id)]
      stored[kind].delete(id)
      return [204]
    }
    if (kind === 'runs' && left > 0) {
      left -= 1
      return [503]
    }
    if (!/^application\/json *(;|$)/i.test(type)) return [415]
    let body: Record<string, unknown> | null = null
    try {
      body = JSON.parse(text ?? '')
    } catch {}
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [422]
    const isValid =
      kind === 'flows'
        ? typeof body.name === 'string'
        : isUuid(body.flow_id) && (!Object.hasOwn(body, 'note') || typeof body.note === 'string')
    if (!isValid) return [422]
    if (kind === 'runs' && !stored.flows.has(body.flow_id as string)) {
      if (created.runs === 0) rejected += 1
      return [409, { detail: 'Data integrity conflict.' }]
    }
    const made = { ...body, id: randomUUID() } as Json & { readonly id: string }
    stored[kind].set(made.id, made)
    created[kind] += 1
    return [201, made]
  }
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    let text: string | null = null
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(await request.toArray()))
    } catch {}
    const [status, body] = ['GET', 'POST', 'DELETE'].includes(method)
      ? answer(method, url, headers['content-type'] ?? '', text)
      : ([405] as const)
    response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('flows.json', from) })
  const ledger = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 600 })
  return { ledger, created, rejected, left: stored.flows.size + stored.runs.size }
}

test('what is created with an undeclared 201 is known, referred to, and removed', async () => {
  const { ledger, created, rejected, left } = await run()
  expect(created.runs).toBeGreaterThan(20)
  expect(left).toBe(0)
  // A plain request, one with a new value, and then one with a flow that exists.
  expect(rejected).toBeLessThan(4)
  expect(ledger.findings.map(({ title, obligation }) => `${obligation}: ${title}`)).toEqual([
    'createRun/response/declared: answered 201 to a valid request, an undeclared status',
    'createFlow/response/declared: answered 201 to a valid request, an undeclared status',
  ])
  const untested = ledger.entries.filter(({ verdict }) => verdict.kind === 'untested')
  expect(untested.map(({ obligation }) => obligation.operation)).not.toContain('getRun')
})

test('an operation that was busy at first is asked again when the others have been', async () => {
  const { ledger, created } = await run({ busy: 5 })
  expect(created.runs).toBeGreaterThan(20)
  expect(ledger.findings.map(({ title }) => title).join('\n')).not.toMatch(/accepted no valid/)
})

test('what is created at nearly the path that asks for it is known, referred to, and removed', async () => {
  const from = document.replaceAll('/flows/{id}', '/flow/{id}').replaceAll('/runs/{id}', '/run/{id}')
  const { ledger, created, left } = await run({ from })
  expect(created.runs).toBeGreaterThan(20)
  expect(left).toBe(0)
  // Nothing declares that one creates what the other asks for, so nothing is required of that.
  expect(ledger.entries.filter(({ obligation }) => obligation.family === 'state')).toEqual([])
  const passed = ledger.entries.filter(({ verdict }) => verdict.kind === 'passed')
  expect(passed.map(({ obligation }) => obligation.id)).toEqual(
    expect.arrayContaining(['removeFlow/request/valid', 'removeRun/request/valid']),
  )
})
