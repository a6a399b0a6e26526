/** A service that makes queues by `POST /queues/{name}`, and has nothing at `/queues`. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const queue = {
  description: 'the queue',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
  },
}
const none = { description: 'no such queue' }
const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }]
const document = documentWith({
  '/queues/{name}': {
    parameters,
    post: { operationId: 'makeQueue', responses: { 200: queue, 400: none } },
    get: { operationId: 'getQueue', responses: { 200: queue, 400: none, 404: none } },
    delete: { operationId: 'removeQueue', responses: { 204: { description: 'gone' }, 400: none, 404: none } },
  },
})

test('what POST makes by the name in its path is asked for, and removed again', async () => {
  const queues = new Set(['precious'])
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '' } = request
    const [, kind, segment = '', more] = (url.split('?')[0] ?? '').split('/')
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    let name = ''
    try {
      name = decodeURIComponent(segment)
    } catch {
      return answer(400)
    }
    if (kind !== 'queues' || name === '' || more !== undefined) return answer(404)
    if (!['GET', 'POST', 'DELETE'].includes(method)) return answer(405)
    if (method === 'POST') queues.add(name)
    if (!queues.has(name)) return answer(404)
    if (method === 'DELETE') queues.delete(name)
    return method === 'DELETE' ? answer(204) : answer(200, { name })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('queues.json', document) })
  const { entries, findings, end } = await verify({ contract, target: url, seed: 1, sustained: 0 })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
  const passed = new Set(
    entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
  )
  for (const operation of ['makeQueue', 'getQueue', 'removeQueue'])
    expect(passed).toContain(`${operation}/request/valid`)
  expect(end?.conclusion).not.toBe('inconclusive')
  expect([...queues]).toEqual(['precious'])
})
