/** A read that answers with a list is a search: what it leaves out need not be lost. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const properties = { event: { type: 'string', pattern: '^[a-z0-9]{4,40}$' }, active: { type: 'boolean' } }
const handler = { type: 'object', required: ['event', 'active'], properties }
const answer = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const failures = { 400: { description: 'invalid' } }

const document = documentWith({
  '/events': {
    post: {
      operationId: 'addHandler',
      requestBody: bodyOf(handler),
      responses: { 200: { description: 'added' }, ...failures },
    },
  },
  '/events/{event}': {
    get: {
      operationId: 'findHandlers',
      parameters: [
        { name: 'event', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'activeOnly', in: 'query', schema: { type: 'boolean', default: true } },
      ],
      responses: { 200: answer({ type: 'array', items: handler }), ...failures },
    },
  },
})

test('a handler that is not active is not found by default, and that accuses nobody', async () => {
  const handlers = new Map<string, { readonly event: string; readonly active: boolean }>()
  const target = await startJsonServer(({ method, path: [kind, event, more], query, sent, answer: send }) => {
    if (kind !== 'events' || more !== undefined) return send(404)
    if (event === undefined) {
      if (method !== 'POST') return send(405)
      const { event: name, active } = sent ?? {}
      if (typeof name !== 'string' || !/^[a-z0-9]{4,40}$/.test(name) || typeof active !== 'boolean')
        return send(400)
      handlers.set(name, { event: name, active })
      return send(200)
    }
    if (method !== 'GET') return send(405)
    const only = query.getAll('activeOnly')
    if (only.length > 1 || !['true', 'false', undefined].includes(only[0])) return send(400)
    const found = handlers.get(event)
    send(200, found === undefined || (only[0] !== 'false' && !found.active) ? [] : [found])
  })
  const contract = await loadContract({ from: writeDocument('events.json', document) })
  for (const seed of [1, 2, 3]) {
    const { findings } = await verify({ contract, target, seed, sustained: 0, cases: 300 })
    expect(findings.filter(({ obligation }) => obligation.includes('/state/'))).toEqual([])
  }
})
