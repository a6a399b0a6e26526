/** A creation whose response is lost: nobody knows the name of what came of it, and the run says so. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { strictJson } from '../strict-json.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const note = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
const stored = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const failed = Object.fromEntries([400, 404].map(status => [status, { description: 'rejected' }]))
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const document = documentWith({
  '/notes': {
    post: {
      operationId: 'addNote',
      requestBody: { required: true, content: json(note) },
      responses: { 201: { description: 'added', content: json(stored) }, ...failed },
    },
  },
  '/notes/{id}': {
    parameters: [id],
    get: {
      operationId: 'getNote',
      responses: { 200: { description: 'ok', content: json(stored) }, ...failed },
    },
    delete: { operationId: 'removeNote', responses: { 204: { description: 'gone' }, ...failed } },
  },
})

/** Keeps notes. `lose`: whether the creation of this number gets no response. */
const startNotes = async (lose: (number: number) => boolean) => {
  const notes = new Set<number>()
  let number = 0
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = strictJson(Buffer.concat(await request.toArray())) as { text?: unknown } | undefined
    const answer = (status: number, value?: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    if (url === '/notes' && method === 'POST') {
      if (typeof body?.text !== 'string') return answer(400)
      number += 1
      notes.add(number)
      return lose(number) ? undefined : answer(201, { id: number })
    }
    const asked = Number(/^\/notes\/(\d+)$/.exec(url)?.[1])
    if (!notes.has(asked)) return answer(404)
    if (method === 'DELETE') notes.delete(asked)
    return method === 'DELETE' ? answer(204) : answer(200, { id: asked })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, notes }
}

const run = async (lose: (number: number) => boolean, timeoutMs?: number) => {
  const { url, notes } = await startNotes(lose)
  const contract = await loadContract({ from: writeDocument('notes.json', document) })
  const ledger = await verify({ contract, target: url, seed: 1, cases: 150, sustained: 0, timeoutMs })
  return { left: notes.size, messages: ledger.notes.map(({ message }) => message).join('\n') }
}

test('the run says how many of them there were', async () => {
  const { left, messages } = await run(number => number % 20 === 0, 500)
  expect(left).toBeGreaterThan(0)
  expect(messages).toMatch(/addNote gave no response to \d+ valid requests?: if the server created something/)
})

test('without any, the run removes everything and says nothing', async () => {
  const { left, messages } = await run(() => false)
  expect(left).toBe(0)
  expect(messages).not.toContain('gave no response')
})
