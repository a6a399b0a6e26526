/** Actions on what the server lists and nobody creates: they are sent to it only if the user names them. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const json = (schema: object) => ({ 'application/json': { schema } })
const failures = Object.fromEntries([400, 404].map(status => [status, { description: 'rejected' }]))
const server = { name: 'server', in: 'path', required: true, schema: text }
const host = { type: 'object', required: ['id'], properties: { id: text } }

const document = documentWith({
  '/servers': {
    get: {
      operationId: 'listServers',
      responses: { 200: { description: 'ok', content: json({ type: 'array', items: host }) } },
    },
  },
  '/servers/{server}/cache/flush': {
    put: {
      operationId: 'flushCache',
      parameters: [server],
      responses: { 200: { description: 'done', content: json({ type: 'object' }) }, ...failures },
    },
  },
})

const startServers = async (listed: readonly string[], flushed: string[]): Promise<string> => {
  const store = createServer(({ method, url = '/' }, response) => {
    const [, name] = /^\/servers\/([^/?]+)\/cache\/flush$/.exec(url) ?? []
    const [status, body] =
      method === 'GET' && url === '/servers'
        ? [200, listed.map(id => ({ id }))]
        : method === 'PUT' && name !== undefined && listed.includes(name)
          ? [200, {}]
          : [404, {}]
    if (status === 200 && name !== undefined) flushed.push(name)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  const { url, close } = await listen(store)
  onTestFinished(close)
  return url
}

const flush = async (listed: readonly string[], include: readonly string[]) => {
  const flushed: string[] = []
  const contract = await loadContract({ from: writeDocument('servers.json', document) })
  const ledger = await verify({
    target: await startServers(listed, flushed),
    contract,
    include,
    cases: 200,
    seed: 1,
  })
  const verdict = ledger.entries.find(
    ({ obligation }) => obligation.id === 'flushCache/request/valid',
  )?.verdict
  return { flushed, verdict }
}

test('an action that the user names is sent to what the server lists', async () => {
  const { flushed, verdict } = await flush(['localhost'], ['PUT /servers/{server}/cache/flush'])
  expect(new Set(flushed)).toEqual(new Set(['localhost']))
  expect(verdict).toMatchObject({ kind: 'passed' })
})

test('an action that nobody names leaves what the server lists as it is', async () => {
  const { flushed, verdict } = await flush(['localhost'], [])
  expect(flushed).toEqual([])
  expect(verdict).toMatchObject({ kind: 'untested', reason: expect.stringContaining('--include') })
})

test('an empty list is told', async () => {
  const { verdict } = await flush([], ['*'])
  expect(verdict).toMatchObject({
    kind: 'untested',
    reason: expect.stringContaining('listServers lists none'),
  })
})

test('the answer of a list that fails lists nothing', async () => {
  const asked = new Set<string>()
  const rejected = { description: 'no' }
  await verifyAnswering(
    {
      paths: {
        '/notes': {
          get: { operationId: 'list', responses: { 200: shown({ type: 'array' }), 501: rejected } },
        },
        '/notes/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { operationId: 'read', responses: { 200: shown({}), 404: rejected } },
        },
      },
    },
    ({ method, url }) => {
      const [, kind, id] = url.pathname.split('/')
      if (kind !== 'notes' || method !== 'GET') return { status: kind === 'notes' ? 405 : 404 }
      if (id === undefined) return { status: 501, body: ['NotImplementedError', 'no lists here'] }
      asked.add(id)
      return { status: 404 }
    },
  )
  expect(asked).not.toContain('NotImplementedError')
})
