import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const thing = {
  description: 'it',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    },
  },
}
const no = { description: 'no' }
const responses = { 200: thing, 201: thing, 400: no, 404: no }
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }]
const bodyOf = (properties: object) => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', properties } } },
})
const kind = (name: string, properties: object) => ({
  [`/${name}`]: { post: { operationId: `make_${name}`, requestBody: bodyOf(properties), responses } },
  [`/${name}/filter`]: {
    post: { operationId: `filter_${name}`, requestBody: bodyOf({ [name]: { type: 'string' } }), responses },
  },
  [`/${name}/{id}`]: { parameters, get: { operationId: `get_${name}`, responses } },
})

test('things that no other operation speaks of are made after those that are needed have been asked for', async () => {
  const seen: string[] = []
  let made = 0
  const server = createServer((request, response) => {
    request.resume()
    seen.push(`${request.method} ${request.url}`)
    response.writeHead(request.method === 'GET' ? 200 : 201, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ id: request.method === 'GET' ? 1 : ++made }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const paths = {
    ...kind('alarms', {}),
    ...kind('flows', {}),
    ...kind('runs', { flow_id: { type: 'integer' } }),
  }
  const contract = await loadContract({ from: writeDocument('needs.json', documentWith(paths)) })
  await verify({ contract, target: url, seed: 1, cases: 30, sustained: 0 })
  const first = (start: string): number => seen.findIndex(request => request.startsWith(start))
  expect(first('GET /flows/')).toBeGreaterThan(first('POST /flows'))
  expect(first('POST /alarms')).toBeGreaterThan(first('GET /flows/'))
})

test('what breaks a service and nothing else needs is removed before the plan, and made late in it', async () => {
  const alarms = new Set<number>()
  const others: boolean[] = []
  let [made, asked] = [0, 0]
  const server = createServer((request, response) => {
    request.resume()
    const [, name = '', id = ''] = (request.url ?? '').split('/')
    const answer = (status: number): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(status === 204 ? undefined : JSON.stringify({ id: Number(id) || ++made }))
    }
    const isBroken = alarms.size > 0
    if (name !== 'alarms') {
      others.push(isBroken)
      answer(isBroken ? 503 : request.method === 'POST' ? 201 : 200)
    } else if (request.method !== 'DELETE') {
      if (request.method === 'POST' && id === '') alarms.add(made + 1)
      answer(request.method === 'POST' ? 201 : 200)
    } else if (++asked % 3 === 0) answer(alarms.delete(Number(id)) ? 204 : 404)
    else answer(503)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const paths = {
    ...kind('alarms', {}),
    ...kind('flows', {}),
    ...kind('runs', { flow_id: { type: 'integer' } }),
  }
  const removal = { delete: { operationId: 'remove_alarm', responses: { 204: no, 404: no } } }
  const contract = await loadContract({
    from: writeDocument(
      'breaks.json',
      documentWith({ ...paths, '/alarms/{id}': { ...paths['/alarms/{id}'], ...removal } }),
    ),
  })
  await verify({ contract, target: url, seed: 1, cases: 60, sustained: 0, timeoutMs: 500 })
  expect(asked).toBeGreaterThan(0)
  const broken = others.flatMap((isBroken, at) => (isBroken ? [at] : []))
  const whole = broken.map((at, index) => at - (broken[index - 1] ?? 0))
  // One in the preflight, and then none until the others have got what tells most.
  expect(whole.filter(length => length > 20)).toHaveLength(1)
  expect(broken[0]).toBeLessThan(20)
})
