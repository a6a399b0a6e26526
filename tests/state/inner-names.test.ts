/** What is below a resource of the run, and has a name that the server shows elsewhere, is read and changed there. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { strictJson } from '../strict-json.ts'

const answered = { description: 'answered', content: { 'application/json': { schema: { type: 'object' } } } }
const failed = { 400: answered, 404: answered }
const text = { type: 'string' }
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })
const item = '/projects/{projectId}/flags/{flag}/environments/{environment}'
const parameters = ['projectId', 'flag', 'environment'].map(inPath)
const listOf = (name: string) => ({
  description: 'all',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          [name]: { type: 'array', items: { type: 'object', properties: { id: text, name: text } } },
        },
      },
    },
  },
})

const document = documentWith({
  '/projects': { get: { operationId: 'listProjects', responses: { 200: listOf('projects') } } },
  '/environments': { get: { operationId: 'listEnvironments', responses: { 200: listOf('environments') } } },
  '/projects/{projectId}/flags': {
    parameters: [inPath('projectId')],
    post: {
      operationId: 'addFlag',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', required: ['name'], properties: { name: text } } },
        },
      },
      responses: { 201: answered, 409: answered, ...failed },
    },
  },
  '/projects/{projectId}/flags/{flag}': {
    parameters: [inPath('projectId'), inPath('flag')],
    get: { operationId: 'getFlag', responses: { 200: answered, ...failed } },
  },
  [item]: { parameters, get: { operationId: 'getEnvironment', responses: { 200: answered, ...failed } } },
  [`${item}/on`]: { parameters, post: { operationId: 'switchOn', responses: { 200: answered, ...failed } } },
})

const serve = async () => {
  const flags = new Set(['old'])
  const changed = new Set<string>()
  const server = createServer(async (request, response) => {
    const body = strictJson(Buffer.concat(await request.toArray()))
    const answer = (status: number, value: object = {}): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    }
    const { method = '' } = request
    const [, first, project, , flag = '', , environment = '', action] = (request.url?.split('?')[0] ?? '')
      .split('/')
      .map(part => decodeURIComponent(part))
    if (project === undefined && method === 'GET')
      return answer(200, {
        [first ?? '']: [first === 'projects' ? { id: 'default', name: 'All' } : { name: 'development' }],
      })
    if (project !== 'default') return answer(404)
    if (flag === '') {
      const name = (body as { readonly name?: unknown } | undefined)?.name
      if (method !== 'POST' || typeof name !== 'string' || name === '') return answer(400)
      if (flags.has(name)) return answer(409)
      flags.add(name)
      return answer(201, { name })
    }
    if (!flags.has(flag)) return answer(404)
    if (environment !== '' && environment !== 'development') return answer(404)
    if (action === 'on') changed.add(flag)
    answer(200, { name: flag })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, changed }
}

test('both are accepted, and nothing is changed that the run did not create', async () => {
  const { url, changed } = await serve()
  const contract = await loadContract({ from: writeDocument('flags.json', document) })
  const { entries } = await verify({
    contract,
    target: url,
    seed: 1,
    cases: 300,
    sustained: 0,
    include: ['POST /projects/{projectId}/flags'],
  })
  const verdictOf = (id: string) => entries.find(({ obligation }) => obligation.id === id)?.verdict.kind
  expect(verdictOf('getEnvironment/request/valid')).toBe('passed')
  expect(verdictOf('switchOn/request/valid')).toBe('passed')
  expect(changed.size).toBeGreaterThan(0)
  expect(changed.has('old')).toBe(false)
})
