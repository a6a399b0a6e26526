import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const instance = {
  description: 'it',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    },
  },
}
const no = { description: 'no' }
const responses = { 200: instance, 201: instance, 400: no, 404: no }
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
