/** `Location` is a URI with its origin if the schema of the header wants one, and else a path. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { call, get } from './shop.ts'

const text = { type: 'string' }
const shown = (schema: object, more: object = {}) => ({
  description: 'ok',
  content: { 'application/json': { schema } },
  ...more,
})

/** A mock of files in folders, whose creation answers with a `Location` of this schema. */
const startFiles = async (location: object, server = '') => {
  const file = { type: 'object', required: ['id'], properties: { id: text, name: text } }
  const folder = { name: 'folderId', in: 'path', required: true, schema: text }
  const headers = { Location: { required: true, schema: location } }
  const paths = {
    '/folders/{folderId}/files': {
      post: {
        operationId: 'createFile',
        parameters: [folder],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 201: shown(file, { headers }) },
      },
    },
    '/folders/{folderId}/files/{fileId}': {
      get: {
        operationId: 'getFile',
        parameters: [folder, { ...folder, name: 'fileId' }],
        responses: { 200: shown(file) },
      },
    },
  }
  const document = documentWith(paths, server === '' ? {} : { servers: [{ url: server }] })
  return startMock({ contract: await loadContract({ from: writeDocument('files.json', document) }) })
}

test.each([
  ['uri', true],
  ['url', true],
  ['uri-reference', false],
  [undefined, false],
] as const)('of format %s', async (format, isWhole) => {
  const mock = await startFiles(format === undefined ? text : { ...text, format })
  const { headers, body } = await call(mock, 'POST /folders/a%20b/files', {})
  const path = `/folders/a%20b/files/${encodeURIComponent(String(body.id))}`
  expect(headers.get('location')).toBe(isWhole ? mock.url + path : path)
  expect((await get(mock, path)).id).toBe(body.id)
})
