/** A path may take another property than its parameter is called: what the list shows by that is there. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const answer = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const terminal = { type: 'object', properties: { name: { type: 'string' }, at: { type: 'string' } } }
const parameters = [{ name: 'terminal_id', in: 'path', required: true, schema: { type: 'string' } }]
const none = { description: 'not there' }

const document = documentWith({
  '/terminals': {
    get: { operationId: 'listTerminals', responses: { 200: answer({ type: 'array', items: terminal }) } },
    post: { operationId: 'addTerminal', responses: { 200: answer(terminal) } },
  },
  '/terminals/{terminal_id}': {
    get: { operationId: 'getTerminal', parameters, responses: { 200: answer(terminal), 404: none } },
    delete: {
      operationId: 'endTerminal',
      parameters,
      responses: { 204: { description: 'ended' }, 404: none },
    },
  },
})

/** `hides`: the list lacks the last one. */
const run = async (hides: boolean): Promise<readonly string[]> => {
  const terminals = new Map<string, object>()
  let next = 1
  const target = await startJsonServer(({ method, path: [kind, name, more], answer: send }) => {
    if (kind !== 'terminals' || more !== undefined) return send(404)
    if (name === undefined) {
      const all = [...terminals.values()]
      if (method === 'GET') return send(200, hides ? all.slice(0, -1) : all)
      if (method !== 'POST') return send(405)
      const made = { name: `t${next++}`, at: '2026-11-28' }
      terminals.set(made.name, made)
      return send(200, made)
    }
    const known = terminals.get(name)
    if (method !== 'GET' && method !== 'DELETE') return send(405)
    if (known === undefined) return send(404)
    if (method === 'GET') return send(200, known)
    terminals.delete(name)
    send(204)
  })
  const contract = await loadContract({ from: writeDocument('terminals.json', document) })
  const { findings } = await verify({ contract, target, seed: 1, sustained: 0, cases: 300 })
  return findings.map(({ obligation }) => obligation)
}

test('a list that shows what was created, by another property, is not accused', async () => {
  expect(await run(false)).toEqual([])
})

test('a list without it is', async () => {
  expect(await run(true)).toContain('listTerminals/state/contains')
})
