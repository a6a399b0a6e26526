/** A creation that answers with nothing but the name of what it made, as text or as JSON; and one that answers with another word. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const named = { name: 'runId', in: 'path', required: true, schema: text }
const none = { 404: { description: 'none' } }
const documentOf = (type: string) =>
  documentWith({
    '/runs': {
      post: {
        operationId: 'startRun',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { note: text } } } },
        },
        responses: {
          200: { description: 'started', content: { [type]: { schema: text } } },
          400: { description: 'no' },
        },
      },
    },
    '/runs/{runId}': {
      parameters: [named],
      get: {
        operationId: 'getRun',
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
          ...none,
        },
      },
      delete: { operationId: 'removeRun', responses: { 204: { description: 'gone' }, ...none } },
    },
  })

const run = async (type: string, answerWith: (id: string) => string) => {
  const runs = new Map<string, object>()
  let [found, count] = [0, 0]
  const target = await startJsonServer(({ method, path: [, id = ''], sent, answer, response }) => {
    if (method === 'POST') {
      if (sent === null || (sent.note !== undefined && typeof sent.note !== 'string')) return answer(400)
      const made = `run-${(count++).toString(36)}7`
      runs.set(made, sent)
      response.writeHead(200, { 'Content-Type': type }).end(answerWith(made))
      return
    }
    const kept = runs.get(id)
    if (kept === undefined) return answer(404)
    if (method === 'GET') found += 1
    if (method === 'DELETE') runs.delete(id)
    return method === 'DELETE' ? answer(204) : answer(200, kept)
  })
  const contract = await loadContract({ from: writeDocument('runs.json', documentOf(type)) })
  const { findings } = await verify({ contract, target, seed: 1, cases: 150, strict: true })
  return { left: runs.size, found, titles: findings.map(({ title }) => title) }
}

test.each([
  ['text/plain', (id: string) => id],
  ['text/plain', (id: string) => `${id}\n`],
  ['application/json', (id: string) => JSON.stringify(id)],
])('%s: what was made is asked for, and removed in the end', async (type, answerWith) => {
  const { left, found, titles } = await run(type, answerWith)
  expect(titles).toEqual([])
  expect(found).toBeGreaterThan(10)
  expect(left).toBe(0)
})

test.each(['ok', 'started', 'The run has been started.', ''])(
  'a server that says %j is accused of nothing',
  async said => {
    const { found, titles } = await run('text/plain', () => said)
    expect(titles).toEqual([])
    expect(found).toBe(0)
  },
)
