/** Operations on a resource (RFC 6902), in the mock that keeps what requests change. */
import { beforeAll, expect, test } from 'vitest'
import { applyPatch, type JsonPatch } from '../../../mock/resources/patches.ts'
import { type Contract, type Json, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { call, get } from '../resources/shop.ts'

const note = { title: 'a', tags: ['x', 'y'], 'a/b': { '~': 1 } }

// Appendix A of RFC 6902, and what it does not allow.
test.each<[object, object | string]>([
  [
    { op: 'add', path: '/more', value: 1 },
    { ...note, more: 1 },
  ],
  [
    { op: 'add', path: '/tags/1', value: 'n' },
    { ...note, tags: ['x', 'n', 'y'] },
  ],
  [
    { op: 'add', path: '/tags/-', value: ['n'] },
    { ...note, tags: ['x', 'y', ['n']] },
  ],
  [{ op: 'add', path: '', value: {} }, {}],
  [
    { op: 'remove', path: '/tags/0' },
    { ...note, tags: ['y'] },
  ],
  [
    { op: 'remove', path: '/a~1b/~0' },
    { ...note, 'a/b': {} },
  ],
  [
    { op: 'replace', path: '/title', value: null },
    { ...note, title: null },
  ],
  [
    { op: 'move', from: '/tags/0', path: '/title' },
    { ...note, title: 'x', tags: ['y'] },
  ],
  [
    { op: 'move', from: '/tags/0', path: '/tags/1' },
    { ...note, tags: ['y', 'x'] },
  ],
  [
    { op: 'copy', from: '/title', path: '/tags/0' },
    { ...note, tags: ['a', 'x', 'y'] },
  ],
  [{ op: 'test', path: '/a~1b', value: { '~': 1 } }, note],
  [{ op: 'test', path: '/title', value: 'b' }, 'operation 1 (test /title): the value is another one'],
  [{ op: 'add', path: '/none/b', value: 1 }, 'operation 1 (add /none/b): there is nothing at /none'],
  [{ op: 'add', path: '/tags/3', value: 1 }, 'operation 1 (add /tags/3): 3 is no index of the list'],
  [{ op: 'add', path: '/tags/01', value: 1 }, 'operation 1 (add /tags/01): 01 is no index of the list'],
  [{ op: 'add', path: '/more' }, 'operation 1 (add /more): it has no value'],
  [{ op: 'remove', path: '/none' }, 'operation 1 (remove /none): there is nothing at /none'],
  [{ op: 'replace', path: '/none', value: 1 }, 'operation 1 (replace /none): there is nothing at /none'],
  [
    { op: 'move', from: '/a~1b', path: '/a~1b/c' },
    'operation 1 (move /a~1b/c): nothing can be moved into itself',
  ],
  [{ op: 'spell', path: '/title' }, note],
])('%j gives %j', (operation, expected) => {
  const done = applyPatch(note as unknown as Json, [operation] as unknown as JsonPatch)
  expect(done).toEqual(typeof expected === 'string' ? expected : { value: expected })
})

const content = (type: string, schema: object): object => ({ content: { [type]: { schema } } })
const instance = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer' },
    title: { type: 'string', minLength: 1 },
    tags: { type: 'array', items: { type: 'string' } },
  },
}
const failure = {
  description: 'no',
  ...content('application/json', {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'integer' }, message: { type: 'string' } },
  }),
}
const answering = (more: object = {}): object => ({
  200: { description: 'ok', ...content('application/json', instance) },
  400: failure,
  404: failure,
  ...more,
})

let contract: Contract

beforeAll(async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const list = content('application/json', { type: 'array', items: instance })
  const operations = { type: 'array', items: { type: 'object', required: ['op', 'path'] } }
  const document = documentWith({
    '/notes': { get: { responses: { 200: { description: 'ok', ...list } } } },
    '/notes/{id}': {
      parameters: [id],
      get: { responses: answering() },
      patch: {
        operationId: 'changeNote',
        requestBody: { required: true, ...content('application/json-patch+json', operations) },
        responses: answering({ 409: failure }),
      },
    },
  })
  contract = await loadContract({ from: writeDocument('notes.json', document) })
})

test('a PATCH is done as a whole, or gets the declared conflict with the reason', async () => {
  const seedData = { '/notes': [{ id: 1, title: 'a', tags: ['x'] }] }
  const mock = await startMock({ contract, seedData })
  const patch = (...operations: readonly object[]) =>
    call(mock, 'PATCH /notes/1', operations, { 'content-type': 'application/json-patch+json' })
  const changed = { id: 1, title: 'b', tags: ['x', 'y'] }
  const done = await patch(
    { op: 'test', path: '/title', value: 'a' },
    { op: 'replace', path: '/title', value: 'b' },
    { op: 'add', path: '/tags/-', value: 'y' },
  )
  expect([done.status, done.body]).toEqual([200, changed])
  for (const [operation, message] of [
    [{ op: 'test', path: '/title', value: 'a' }, 'operation 2 (test /title): the value is another one'],
    [{ op: 'replace', path: '/title', value: '' }, '/title must have at least 1 character'],
    [{ op: 'remove', path: '/title' }, '/title is missing'],
  ] as const) {
    const refused = await patch({ op: 'remove', path: '/tags' }, operation)
    expect([refused.status, refused.body]).toEqual([409, { code: 44, message }])
  }
  expect(await get(mock, '/notes/1')).toEqual(changed)
})
