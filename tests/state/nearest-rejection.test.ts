/** What an operation that accepts nothing says of requests that come near, and not of those that do not. */
import { expect, test } from 'vitest'
import { shown, verifyAnswering } from '../conformance/judge/answering.ts'

const id = { name: 'store_id', in: 'path', required: true, schema: { type: 'string' } }
const store = { type: 'object', properties: { id: { type: 'string' } } }
const rejected = { description: 'rejected' }
const document = {
  paths: {
    '/stores': {
      get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: store }), 400: rejected } },
    },
    '/access/{store_id}/configuration': {
      parameters: [id],
      get: { operationId: 'configuration', responses: { 200: shown({}), 400: rejected, 409: rejected } },
    },
  },
}

test.each([
  [409, 'This feature is switched off'],
  [422, 'Access endpoints are experimental'],
])('the finding has the request that was rejected for the reason that counts (%i)', async (status, error) => {
  const { findings } = await verifyAnswering(document, ({ url, method }) => {
    if (method !== 'GET') return { status: 405 }
    if (url.pathname === '/stores') return { status: 200, body: [{ id: 'STORE7' }] }
    const isForm = /^[A-Z0-9]{6}$/.test(url.pathname.split('/')[2] ?? '')
    return isForm
      ? { status, body: { error } }
      : { status: 400, body: { error: 'store_id does not match the regex pattern ^[A-Z0-9]{6}$' } }
  })
  const blocked = findings.find(({ obligation }) => obligation === 'configuration/request/valid')
  expect(blocked?.title).toContain(error)
  expect(blocked?.request.target).toBe('/access/STORE7/configuration')
})
