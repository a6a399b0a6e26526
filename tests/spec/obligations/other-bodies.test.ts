/** Waivers and baselines name obligations by their ids, so these are golden for every kind of body that is not JSON, too. */
import { expect, test } from 'vitest'
import { loadContract, obligationsOf } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const note = {
  type: 'object',
  required: ['to', 'size'],
  xml: { name: 'note' },
  properties: {
    to: { type: 'string', minLength: 1 },
    size: { type: 'integer', maximum: 9, xml: { attribute: true } },
    lines: { type: 'array', items: { type: 'string' }, xml: { wrapped: true } },
  },
}
const file = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } },
}

const bodies = {
  xml: ['application/xml', note],
  form: ['application/x-www-form-urlencoded', note],
  multipart: ['multipart/form-data', file],
  text: ['text/plain', { type: 'string' }],
  bytes: ['application/octet-stream', {}],
} as const

test.each(Object.entries(bodies))('the obligations of a body in %s', async (name, [type, schema]) => {
  const document = documentWith({
    '/notes': {
      post: {
        operationId: 'send',
        requestBody: { required: true, content: { [type]: { schema } } },
        responses: {
          200: { description: 'ok', content: { [type]: { schema } } },
          400: { description: 'no' },
        },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument(`${name}.json`, document) })
  const lines = obligationsOf(contract).map(({ id, level }) => `${level.padEnd(7)} ${id}`)
  expect(new Set(lines).size).toBe(lines.length)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/body-${name}.obligations.txt`)
})
