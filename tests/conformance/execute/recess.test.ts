/** A run whose time is too short for its plan still tests what the server keeps, and while nothing else is under way. */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { createRecess } from '../../../conformance/execute/recess.ts'
import { verify } from '../../../conformance/index.ts'
import { startClock } from '../../../conformance/session/run-clock.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../../spec/contracts.ts'
import { strictJson } from '../../strict-json.ts'

const text = { type: 'string', minLength: 1, maxLength: 200 }
const properties = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, text]))
const kinds = ['notes', 'pages', 'lists']
const response = (description: string) => ({
  description,
  content: { 'application/json': { schema: { type: 'object', properties } } },
})
const failures = { 400: response('invalid'), 404: response('not there') }

const document = documentWith(
  Object.fromEntries(
    kinds.flatMap(kind => {
      const requestBody = bodyOf({ type: 'object', required: ['p0'], properties })
      return [
        [
          `/${kind}`,
          {
            post: {
              operationId: `create-${kind}`,
              requestBody,
              responses: { 201: response('made'), ...failures },
            },
          },
        ],
        [
          `/${kind}/{id}`,
          {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            get: { operationId: `get-${kind}`, responses: { 200: response('as it is'), ...failures } },
            put: {
              operationId: `change-${kind}`,
              requestBody,
              responses: { 200: response('changed'), ...failures },
            },
            delete: {
              operationId: `remove-${kind}`,
              responses: { 204: { description: 'gone' }, ...failures },
            },
          },
        ],
      ]
    }),
  ),
)

/** Takes 15 ms for each request, and forgets the changes of pages if `isForgetful`. */
const run = async (isForgetful: boolean) => {
  const stores = new Map(kinds.map(kind => [kind, new Map<string, object>()]))
  let next = 1
  const server = createServer(async (request, answer) => {
    const bytes = Buffer.concat(await request.toArray())
    const { method = '', url = '' } = request
    const [, kind = '', id, more] = (url.split('?')[0] ?? '').split('/')
    await pause(15)
    const send = (status: number, body?: object): void => {
      answer.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
      answer.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const store = stores.get(kind)
    if (store === undefined || more !== undefined) return send(404, {})
    const allowed = id === undefined ? ['POST'] : ['GET', 'PUT', 'DELETE']
    if (!allowed.includes(method)) return send(405, {})
    const known = id === undefined ? {} : store.get(id)
    if (known === undefined) return send(404, {})
    if (method === 'GET') return send(200, { id, ...known })
    if (method === 'DELETE') {
      store.delete(id ?? '')
      return send(204)
    }
    const isJson = /^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')
    const body = isJson ? strictJson(bytes) : undefined
    const isValid =
      typeof body === 'object' &&
      body !== null &&
      'p0' in body &&
      Object.entries(body).every(
        ([name, value]) =>
          !Object.hasOwn(properties, name) ||
          (typeof value === 'string' && value.length >= 1 && [...value].length <= 200),
      )
    if (!isValid) return send(400, {})
    const key = id ?? String(next++)
    if (id === undefined || !(isForgetful && kind === 'pages')) store.set(key, body)
    send(id === undefined ? 201 : 200, { ...body, id: key })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('kept.json', document) })
  const { findings, entries, end } = await verify({
    ...{ contract, target: url, seed: 1, sustained: 0, concurrency: 3, maxSeconds: 14 },
  })
  return {
    stopped: end?.stopped,
    told: findings.map(({ obligation }) => obligation),
    states: entries
      .filter(({ obligation }) => obligation.family === 'state')
      .map(({ verdict }) => verdict.kind),
  }
}

test('a change that is lost is found', async () => {
  const { stopped, told } = await run(true)
  expect(stopped).toBe('time')
  expect(told.filter(id => id.startsWith('change-pages/state/'))).not.toEqual([])
})

test('a store that keeps what it is sent is not accused', async () => {
  const { stopped, told, states } = await run(false)
  expect(stopped).toBe('time')
  expect(told).toEqual([])
  expect(states.filter(kind => kind === 'passed').length).toBeGreaterThan(5)
})

test('if the time of the plan is up already, nothing waits', async () => {
  const clock = startClock({ maxSeconds: 0, msBefore: 0 })
  const chains = [{} as TestCase]
  const recess = createRecess(
    clock,
    chains,
    () => true,
    () => false,
    () => Promise.reject(new Error('nothing is to be sent')),
  )
  await recess.enter()
  recess.leave()
  await recess.end()
  expect(chains).toHaveLength(1)
})
