/** A service whose lamps can be toggled as often as anybody likes, and broken once. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const lamp = {
  description: 'the lamp',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    },
  },
}
const no = { description: 'no' }
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }]
const action = (operationId: string) => ({
  parameters,
  post: { operationId, responses: { 200: lamp, 400: no, 404: no, 409: no } },
})
const document = documentWith({
  '/lamps': { post: { operationId: 'makeLamp', responses: { 201: lamp, 400: no } } },
  '/lamps/{id}': {
    parameters,
    get: { operationId: 'getLamp', responses: { 200: lamp, 400: no, 404: no } },
    delete: { operationId: 'removeLamp', responses: { 204: { description: 'gone' }, 400: no, 404: no } },
  },
  '/lamps/{id}/toggle': action('toggle'),
  '/lamps/{id}/break': action('break'),
})

test('an action that a thing takes again and again needs no new thing for each case; another one does', async () => {
  const lamps = new Map<number, { toggled: number; broken: number }>()
  let made = 0
  const acted = new Map<number, { toggled: number; broken: number }>()
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '' } = request
    const [, kind, segment, verb, more] = (url.split('?')[0] ?? '').split('/')
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (kind !== 'lamps' || more !== undefined) return answer(404)
    if (segment === undefined) {
      if (method !== 'POST') return answer(405)
      made += 1
      lamps.set(made, { toggled: 0, broken: 0 })
      acted.set(made, lamps.get(made) as { toggled: number; broken: number })
      return answer(201, { id: made })
    }
    if (method !== (verb === undefined ? method : 'POST') || !['GET', 'POST', 'DELETE'].includes(method))
      return answer(405)
    if (verb === undefined && method === 'POST') return answer(405)
    if (!/^[1-9]\d*$/.test(segment)) return answer(400)
    const found = lamps.get(Number(segment))
    if (found === undefined || (verb !== undefined && !['toggle', 'break'].includes(verb))) return answer(404)
    if (method === 'DELETE') {
      lamps.delete(Number(segment))
      return answer(204)
    }
    if (verb === 'break' && found.broken > 0) return answer(409)
    if (verb === 'toggle') found.toggled += 1
    if (verb === 'break') found.broken += 1
    return answer(200, { id: Number(segment) })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('lamps.json', document) })
  const { entries, findings } = await verify({ contract, target: url, seed: 1, cases: 600, sustained: 0 })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
  const passed = new Set(
    entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
  )
  for (const operation of ['toggle', 'break']) expect(passed).toContain(`${operation}/request/valid`)
  const all = [...acted.values()]
  const toggled = all.filter(({ toggled: count }) => count > 0)
  const count = all.reduce((sum, { toggled: times }) => sum + times, 0)
  expect(count).toBeGreaterThan(20)
  expect(toggled.length).toBeLessThan(count * 0.8)
  expect(all.filter(({ broken }) => broken > 0).length).toBeGreaterThan(10)
})
