/** Resources whose name is a property that no convention gives: the suite finds it by asking, and removes what it created. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { hasJsonType, strictJson } from '../strict-json.ts'

const body = {
  type: 'object',
  properties: { title: { type: 'string', pattern: '^[a-z0-9]{1,30}$' } },
  required: ['title'],
}
const answer = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const failure = { description: 'no' }
const parameters = [{ name: 'ref', in: 'path', required: true, schema: { type: 'string' } }]

const document = documentWith({
  '/boards': {
    post: {
      operationId: 'addBoard',
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { 201: answer({ type: 'object' }), 400: failure, 409: failure, 415: failure },
    },
  },
  '/boards/{ref}': {
    get: { operationId: 'getBoard', parameters, responses: { 200: answer(body), 404: failure } },
    delete: { operationId: 'removeBoard', parameters, responses: { 204: failure, 404: failure } },
  },
})

/** A store of boards by what this gives as the name of one; the response to a creation is what `shown` gives. */
const boardServer = async (
  nameOf: (title: string, nth: number) => string,
  shown: (name: string) => object,
) => {
  const boards = new Map<string, object>()
  let nth = 0
  const send = (response: ServerResponse, status: number, value?: object): void => {
    const text = value === undefined ? '' : JSON.stringify(value)
    const headers = value === undefined ? {} : { 'content-type': 'application/json' }
    response
      .writeHead(status, {
        ...headers,
        ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(text) }),
      })
      .end(text)
  }
  const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!hasJsonType(request) || request.headers['content-encoding'] !== undefined) return send(response, 415)
    const value = strictJson(Buffer.concat(await request.toArray()))
    const title = typeof value === 'object' && value !== null && 'title' in value ? value.title : null
    if (typeof title !== 'string' || !/^[a-z0-9]{1,30}$/.test(title)) return send(response, 400)
    const name = nameOf(title, ++nth)
    if (boards.has(name)) return send(response, 409)
    boards.set(name, { title })
    return send(response, 201, shown(name))
  }
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === '/boards' && request.method === 'POST') return create(request, response)
    const name = decodeURIComponent(/^\/boards\/([^/]+)$/.exec(path)?.[1] ?? '')
    const board = boards.get(name)
    if (board === undefined) return send(response, 404)
    if (request.method === 'GET') return send(response, 200, board)
    if (request.method !== 'DELETE') return send(response, 405)
    boards.delete(name)
    return send(response, 204)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, left: () => boards.size }
}

const verifyBoards = async (url: string, createdNames = {}) => {
  const contract = await loadContract({ from: writeDocument('boards.json', document) })
  const ledger = await verify({ contract, target: url, seed: 1, sustained: 0, createdNames })
  const untested = ledger.entries.filter(
    ({ verdict }) => verdict.kind === 'untested' && verdict.cause === 'fixture',
  )
  return {
    findings: ledger.findings.map(({ title }) => title),
    untested: untested.length,
    notes: ledger.notes.map(({ message }) => message).filter(message => message.includes('named')),
  }
}

test.each([
  ['what was sent', (title: string) => title, () => ({})],
  [
    'a property of the response',
    (_: string, nth: number) => `b${nth}`,
    (name: string) => ({ board: name, at: 'now' }),
  ],
])('%s is the name: it is found, and nothing is left', async (_what, nameOf, shown) => {
  const { url, left } = await boardServer(nameOf, shown)
  expect(await verifyBoards(url)).toEqual({ findings: [], untested: 0, notes: [] })
  expect(left()).toBe(0)
})

test('a name that the user points to is taken, also if there is one that looks more like it', async () => {
  const { url, left } = await boardServer(
    (_, nth) => `b${nth}`,
    name => ({ id: 7, made: { refs: [name] } }),
  )
  const created = { addBoard: '/made/refs/0' }
  expect(await verifyBoards(url, created)).toEqual({ findings: [], untested: 0, notes: [] })
  expect(left()).toBe(0)
})

test('what has no name anywhere is counted, and said', async () => {
  const { url, left } = await boardServer(
    (_, nth) => `hidden${nth}`,
    () => ({}),
  )
  const { findings, notes } = await verifyBoards(url)
  expect(findings).toEqual([])
  expect(notes).toEqual([
    `addBoard may have created ${left()} resources that could not be named, so they stay: nothing in the response or the request is what the path takes`,
  ])
})
