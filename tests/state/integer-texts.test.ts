/** Integers that are sent as texts, as gRPC gateways have them: `type: string, format: uint64`. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const integer = (format: string) => ({ type: 'string', format })
const node = {
  type: 'object',
  required: ['id', 'port'],
  properties: { id: integer('uint64'), port: integer('uint32'), offset: integer('int64') },
}
const json = (schema: object, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})
const failure = json(
  { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
  'no',
)
const { id: _, ...sent } = node.properties
const document = documentWith({
  '/nodes': {
    get: {
      operationId: 'listNodes',
      parameters: [{ name: 'port', in: 'query', schema: integer('uint32') }],
      responses: { 200: json({ type: 'array', items: node }, 'all'), 400: failure },
    },
    post: {
      operationId: 'createNode',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', required: ['port'], properties: sent } } },
      },
      responses: { 201: json(node, 'made'), 400: failure },
    },
  },
  '/nodes/{nodeId}': {
    parameters: [{ name: 'nodeId', in: 'path', required: true, schema: integer('uint64') }],
    get: { operationId: 'getNode', responses: { 200: json(node, 'one'), 400: failure, 404: failure } },
    delete: {
      operationId: 'removeNode',
      responses: { 204: { description: 'gone' }, 400: failure, 404: failure },
    },
  },
  // Nobody creates these.
  '/routes/{routeId}': {
    parameters: [{ name: 'routeId', in: 'path', required: true, schema: integer('int64') }],
    get: { operationId: 'getRoute', responses: { 200: json(node, 'one'), 400: failure, 404: failure } },
  },
})

const isUnsigned = (text: unknown): text is string => typeof text === 'string' && /^\d{1,18}$/.test(text)
const isSigned = (text: unknown): text is string => typeof text === 'string' && /^-?\d{1,18}$/.test(text)

test.each([1, 2])('no text but one of digits is called valid (seed %i)', async seed => {
  const nodes = new Map<string, object>()
  let last = 100
  const url = await startJsonServer(({ method, path: [kind, name, more], query, sent, answer }) => {
    const reject = (status: number): void => answer(status, { message: 'parsing field: invalid syntax' })
    if (!['nodes', 'routes'].includes(kind ?? '') || more !== undefined) return reject(404)
    if (kind === 'routes') {
      if (method !== 'GET') return reject(405)
      return isSigned(name) ? reject(404) : reject(400)
    }
    if (name === undefined && method === 'GET') {
      const port = query.getAll('port')
      return port.every(isUnsigned) ? answer(200, [...nodes.values()]) : reject(400)
    }
    if (name !== undefined) {
      if (!['GET', 'DELETE'].includes(method)) return reject(405)
      if (!isUnsigned(name)) return reject(400)
      const found = nodes.get(name)
      if (found === undefined) return reject(404)
      if (method === 'GET') return answer(200, found)
      nodes.delete(name)
      return answer(204)
    }
    if (method !== 'POST') return reject(405)
    const { port, offset } = sent ?? {}
    if (!isUnsigned(port) || (offset !== undefined && !isSigned(offset))) return reject(400)
    const made = { id: String(++last), port, ...(offset === undefined ? {} : { offset }) }
    nodes.set(made.id, made)
    answer(201, made)
  })
  const contract = await loadContract({ from: writeDocument('nodes.json', document) })
  const { entries, findings } = await verify({ contract, target: url, seed, sustained: 0, cases: 800 })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
  const passed = new Set(
    entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
  )
  for (const operation of ['createNode', 'getNode', 'removeNode', 'listNodes'])
    expect(passed).toContain(`${operation}/request/valid`)
  expect([...nodes.keys()]).toEqual([])
})
