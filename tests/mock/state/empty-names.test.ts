/** A name that a client sends is given back, also if no path can ask for it. */
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const pool = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, slots: { type: 'integer' } },
}
const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
const document = documentWith({
  '/pools': {
    post: {
      operationId: 'addPool',
      requestBody: { required: true, ...json(pool) },
      responses: { 201: { description: 'added', ...json(pool) }, 400: { description: 'no' } },
    },
  },
  '/pools/{name}': {
    get: {
      operationId: 'getPool',
      parameters: [name],
      responses: { 200: { description: 'ok', ...json(pool) }, 404: { description: 'no' } },
    },
  },
})

test.each(['', 'deep'])('a pool called "%s"', async called => {
  const mock = await createMock({ contract: writeDocument('pools.json', document), stateful: true })
  onTestFinished(() => mock.close())
  const response = await fetch(`${mock.url}/pools`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: called, slots: 3 }),
  })
  expect([response.status, await response.json()]).toEqual([201, { name: called, slots: 3 }])
})
