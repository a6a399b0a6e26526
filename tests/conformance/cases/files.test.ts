/** Uploads get files that servers look into. */
import { expect, test } from 'vitest'
import { withFiles } from '../../../conformance/cases/files.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { loadContract, type Operation } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const bytes = { type: 'string', format: 'binary' }
const form = (name: string) => ({
  'multipart/form-data': { schema: { type: 'object', required: [name], properties: { [name]: bytes } } },
})

test.each<[string, string, object, object | string, boolean]>([
  ['a part of a path that says it', '/apps/image', form('file'), { file: 'q' }, true],
  ['a part that is called so', '/apps', form('avatar'), { avatar: 'q' }, true],
  ['a body of any bytes', '/apps/logo', { 'application/octet-stream': { schema: bytes } }, 'q', true],
  ['a file of nothing in particular', '/apps', form('file'), { file: 'q' }, false],
])('%s', async (_name, path, content, value, isPicture) => {
  const document = documentWith({
    [path]: {
      post: {
        operationId: 'upload',
        requestBody: { required: true, content },
        responses: { 200: { description: 'ok' } },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument('upload.json', document) })
  const model = createOperationModel(contract, contract.operations[0] as Operation)
  const [file = ''] =
    typeof value === 'string'
      ? [withFiles(model, value)]
      : Object.values(withFiles(model, value as never) as object)
  expect(String(file).startsWith('\x89PNG')).toBe(isPicture)
})
