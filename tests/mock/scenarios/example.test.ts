import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MockOptions } from '../../../mock/index.ts'
import { emptyFolder } from '../../folder.ts'
import { jsonOf, send, startMock } from '../client.ts'

const json = (schema: string, examples: object) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples } },
})

const document = join(emptyFolder(), 'shop.json')
writeFileSync(
  document,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/lamp': {
        get: {
          operationId: 'getLamp',
          responses: {
            '200': {
              description: 'A lamp',
              ...json('Lamp', {
                bright: { value: { name: 'Bright', watts: 60 } },
                dim: { $ref: '#/components/examples/Dim' },
                huge: { value: { name: 'Bright', watts: 'WATTS' } },
                broken: { value: { name: 5 } },
              }),
            },
            '404': {
              description: 'None',
              ...json('Failure', { gone: { value: { message: 'it is gone' } } }),
            },
          },
        },
      },
    },
    components: {
      examples: { Dim: { value: { name: 'Dim' } } },
      schemas: {
        Lamp: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, watts: { type: 'integer' } },
        },
        Failure: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      },
    },
  }).replace('"WATTS"', '9223372036854775807'),
)

// One of its examples is invalid, and reported.
const start = (options: MockOptions = {}) => startMock({ contract: document, warn: () => {}, ...options })

test.each([
  ['bright', 200, { name: 'Bright', watts: 60 }],
  ['dim', 200, { name: 'Dim' }],
  ['gone', 404, { message: 'it is gone' }],
])('the example %s is sent, with the status that it belongs to', async (example, status, body) => {
  const mock = await start({ scenarios: { getLamp: { example } } })
  const response = await send(mock, { method: 'GET', path: '/lamp' })
  expect([response.status, jsonOf(response)]).toEqual([status, body])
  expect(mock.journal.entries()[0]?.scenario).toBe(`${status} ${example}`)
})

test('integers of an example keep all their digits', async () => {
  const mock = await start({ scenarios: { getLamp: { example: 'huge' } } })
  const { body } = await send(mock, { method: 'GET', path: '/lamp' })
  expect(Buffer.from(body).toString()).toBe('{"name":"Bright","watts":9223372036854775807}')
})

test('an unknown example is reported together with the known ones', async () => {
  const mock = await start()
  await expect(mock.scenarios.set('getLamp', { example: 'red' })).rejects.toThrow(
    'getLamp: there is no example red; examples: bright, dim, huge, broken, gone',
  )
  await expect(mock.scenarios.set('getLamp', { status: 404, example: 'dim' })).rejects.toThrow(
    'getLamp: there is no example dim for 404; examples for 404: gone',
  )
})

test('an example that does not match its schema is rejected', async () => {
  const mock = await start()
  await expect(mock.scenarios.set('getLamp', { example: 'broken' })).rejects.toThrow(
    'getLamp: the example broken does not match its schema: /name must be a string; fix it in the document',
  )
})

test('a failure without a number cannot have a code', async () => {
  const mock = await start()
  await expect(mock.scenarios.set('getLamp', { status: 404, code: 7 })).rejects.toThrow(
    'getLamp: code cannot be set: the failure 404 has no property that takes 7',
  )
  await mock.scenarios.set('getLamp', { status: 404, message: 'sold' })
  expect(jsonOf(await send(mock, { method: 'GET', path: '/lamp' }))).toEqual({ message: 'sold' })
})
