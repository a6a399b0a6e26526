import { expect, test } from 'vitest'
import { loadContract, obligationsOf } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { withoutCase } from './without-case.ts'

const text = { type: 'string' }
const form = 'application/x-www-form-urlencoded'
const twoTexts = { type: 'object', properties: { name: text, status: text } }

/** Which bodies can be invalid, so that credentials have to be checked before them. */
test.each<readonly [string, object, boolean]>([
  ['application/json', {}, true],
  ['application/json', { type: 'object', properties: { a: text } }, true],
  ['application/json', { type: 'array', items: text }, true],
  ['application/json', { type: 'boolean' }, true],
  [form, twoTexts, false],
  [form, { ...twoTexts, required: ['name'] }, true],
  [form, { type: 'object', properties: { name: text, count: { type: 'integer' } } }, true],
  [form, { type: 'object', properties: { name: text, kind: { enum: ['a', 'b'] } } }, true],
  ['multipart/form-data', twoTexts, true],
  ['application/xml', { type: 'object', xml: { name: 'a' }, properties: { a: text } }, true],
  ['application/octet-stream', { type: 'string', format: 'binary' }, false],
  ['text/plain', text, false],
  ['text/plain', { type: 'boolean' }, true],
])('%s with %j and wrong credentials', async (type, schema, mayBeInvalid) => {
  const contract = await loadContract({
    from: writeDocument(
      'secured.json',
      documentWith(
        {
          '/a': {
            post: {
              operationId: 'a',
              security: [{ token: [] }],
              requestBody: { content: { [type]: { schema } } },
              responses: {
                200: { description: 'ok' },
                400: { description: 'no' },
                401: { description: 'who' },
              },
            },
          },
        },
        { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } },
      ),
    ),
  })
  const names = obligationsOf(contract, 'declared').flatMap(({ subject }) =>
    subject.kind === 'credentials' && subject.name.endsWith('invalid-body') ? [subject.name] : [],
  )
  expect(names.length > 0).toBe(mayBeInvalid)
  expect(withoutCase(contract, ({ kind }) => kind === 'credentials')).toEqual([])
})
