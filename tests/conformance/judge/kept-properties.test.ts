import { expect, test } from 'vitest'
import { differenceIn, expectedProperties } from '../../../conformance/judge/kept-properties.ts'
import { loadContract, parseJson } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'

const instance = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    kind: { enum: ['user', 'group'] },
    by: { oneOf: [{ type: 'object', required: ['id'] }, { type: 'null' }] },
    secret: { type: 'string', writeOnly: true },
    updated_at: { type: 'string' },
  },
}
const contract = await loadContract({
  from: writeDocument(
    'kept.json',
    documentWith({
      '/things/a': {
        get: {
          operationId: 'read',
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: instance } } } },
        },
      },
    }),
  ),
})

const expected = (sent: string, answered?: string): string =>
  JSON.stringify(
    expectedProperties(
      contract,
      operationOf(contract, 'read'),
      parseJson(sent),
      answered === undefined ? undefined : parseJson(answered),
    ),
  )

test.each([
  ['what was sent', '{"name":"a","kind":"user"}', undefined, '{"name":"a","kind":"user"}'],
  ['what the response to it said', '{"name":" a "}', '{"name":"a"}', '{"name":"a"}'],
  ['nothing that the response has no place for', '{"other":1}', undefined, '{}'],
  ['nothing that is only written, or that servers keep', '{"secret":"s","updated_at":"x"}', undefined, '{}'],
  ['nothing that the schema of the response rules out', '{"kind":"","by":{"type":""}}', undefined, '{}'],
])('%s is expected back', (_name, sent, answered, shown) => {
  expect(expected(sent, answered)).toBe(shown)
})

test.each([
  ['{"tags":[]}', '{}', null],
  ['{"tags":{}}', '{}', null],
  ['{"tags":null}', '{}', null],
  ['{"tags":[0]}', '{}', 'tags'],
  ['{"tags":""}', '{}', 'tags'],
  ['{"tags":0}', '{}', 'tags'],
  ['{"tags":[]}', '{"tags":[1]}', 'tags'],
])('of %s, %s lacks %j', (stored, given, lacking) => {
  const difference = differenceIn(parseJson(stored) as never, parseJson(given))
  expect(difference?.name ?? null).toBe(lacking)
})
