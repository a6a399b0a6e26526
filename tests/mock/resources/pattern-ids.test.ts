/** Names of resources whose contract has a pattern for them. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { get } from './shop.ts'

test.each([
  '^cus_[a-zA-Z0-9]{14,}$',
  '^[A-Z]{2}-[0-9]{6}$',
  '^(?!0)\\d{5,8}$',
  '^(dep|arr)/[a-f0-9]+$',
  '^\\w+@[a-z]+\\.example$',
  '^.{3,40}#[0-9]{4}$',
])('ids that match %s are valid, different, and lead to their things', async pattern => {
  const id = { type: 'string', pattern, maxLength: 60 }
  const item = { type: 'object', required: ['id'], properties: { id } }
  const answering = (schema: object): object => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  })
  const document = documentWith({
    '/cards': { get: answering({ type: 'array', items: item }) },
    '/cards/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', required: true, schema: id }], ...answering(item) },
    },
  })
  const mock = await startMock({
    contract: await loadContract({ from: writeDocument('cards.json', document) }),
  })
  const ids = (await get<readonly { id: string }[]>(mock, '/cards')).map(card => card.id)
  expect(new Set(ids).size).toBe(8)
  for (const each of ids) expect(each).toMatch(new RegExp(pattern, 'u'))
  expect((await get<{ id: string }>(mock, `/cards/${encodeURIComponent(ids[7] ?? '')}`)).id).toBe(ids[7])
})
