/** A service whose lists are pages: what has the ids in them is named by the path alone. */
import { expect, test } from 'vitest'
import { objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const uuid = { type: 'string', format: 'uuid' }
const ids = { stack: '0680c5ad-00d5-4d19-9c18-8f98a4ff63bb', owner: '3336aa73-8f33-4e42-8a41-b5b6bcf57d4d' }
const list = (operationId: string) => ({
  get: { operationId, responses: { 200: shown({ type: 'object' }) } },
})
const document = {
  paths: {
    '/v1/stacks': list('listStacks'),
    '/v1/owners': list('listOwners'),
    '/v1/snapshots': {
      post: {
        operationId: 'create',
        requestBody: bodyOf({
          type: 'object',
          required: ['stack', 'owner'],
          properties: { stack: uuid, owner: uuid },
        }),
        responses: { 201: { description: 'made' }, 400: { description: 'no' }, 404: { description: 'no' } },
      },
    },
  },
}

test.each(['items', 'data', 'results', 'entries'])('%s', async name => {
  let made = 0
  await verifyAnswering(document, ({ method, url, body }) => {
    const kind = url.pathname === '/v1/stacks' ? 'stack' : url.pathname === '/v1/owners' ? 'owner' : null
    if (kind !== null) return { status: method === 'GET' ? 200 : 405, body: { [name]: [{ id: ids[kind] }] } }
    if (url.pathname !== '/v1/snapshots') return { status: 404 }
    if (method !== 'POST') return { status: 405 }
    const sent = objectIn(body)
    if (typeof sent?.stack !== 'string' || typeof sent.owner !== 'string') return { status: 400 }
    if (sent.stack !== ids.stack || sent.owner !== ids.owner) return { status: 404 }
    made += 1
    return { status: 201 }
  })
  expect(made).toBeGreaterThan(3)
})
