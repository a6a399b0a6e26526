import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const documentOf = (value: object): string =>
  writeDocument(
    'values.json',
    documentWith({
      '/values': {
        post: {
          operationId: 'send',
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { type: 'object', required: ['value'], properties: { value } },
              },
            },
          },
          responses: { 200: { description: 'ok' }, 400: { description: 'no' } },
        },
      },
    }),
  )

const items = { type: 'string' }
const text = { type: 'string' }

test.each([
  ['minimum', { type: 'integer', minimum: 3 }, { type: 'integer', minimum: 2 }],
  ['maximum', { type: 'integer', maximum: 1e12 }, { type: 'integer', maximum: 1e12 + 1 }],
  ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }],
  ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 9.5 }, { type: 'number', maximum: 9.5 }],
  ['multipleOf', { type: 'number', multipleOf: 0.5 }, { type: 'number', multipleOf: 0.25 }],
  ['minLength', { ...text, minLength: 3 }, { ...text, minLength: 2 }],
  ['maxLength', { ...text, maxLength: 500 }, { ...text, maxLength: 501 }],
  ['maxLength', { ...text, maxLength: 5 }, { ...text, pattern: '^.{0,5}\\s*$' }],
  ['pattern', { ...text, pattern: '^[a-z]{3,8}$' }, { ...text, pattern: '^[a-z]{3,8}' }],
  ['pattern', { ...text, pattern: '^[a-z]{3,8}$' }, { ...text, pattern: '^[a-z]{3,8}\\n?$' }],
  ['enum', { enum: ['red', 'green'] }, { enum: ['red', 'green', 'RED', 'GREEN'] }],
  ['enum', { enum: [1, 2, 3] }, { enum: [1, 2, 3, 4] }],
  ['const', { const: 'on' }, { enum: ['on', 'On', 'ON'] }],
  ['minItems', { type: 'array', items, minItems: 4 }, { type: 'array', items, minItems: 3 }],
  ['maxItems', { type: 'array', items, maxItems: 40 }, { type: 'array', items, maxItems: 41 }],
  ['maxProperties', { type: 'object', maxProperties: 30 }, { type: 'object', maxProperties: 31 }],
  [
    'oneOf',
    {
      oneOf: [
        { type: 'integer', maximum: 50 },
        { ...text, maxLength: 4 },
      ],
    },
    {
      oneOf: [
        { type: 'integer', maximum: 51 },
        { ...text, maxLength: 4 },
      ],
    },
  ],
  [
    'anyOf',
    {
      anyOf: [
        { type: 'object', required: ['a', 'b'], properties: { a: text, b: text } },
        { type: 'integer' },
      ],
    },
    { anyOf: [{ type: 'object', required: ['a'], properties: { a: text, b: text } }, { type: 'integer' }] },
  ],
])('a server that takes %s too lightly, by one: %j', async (keyword, declared, served) => {
  const mock = await createMock({ contract: documentOf(served), warn: () => {} })
  onTestFinished(mock.close)
  const id = `send/request/body/value/${keyword}`
  const ledger = await verify({
    target: mock.url,
    contract: documentOf(declared),
    seed: 11,
    cases: 30,
    sustained: 0,
    only: [id],
  })
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([id])
})
