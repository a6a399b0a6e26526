import { expect, test } from 'vitest'
import { header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { send, startMock } from '../client.ts'

const contractOf = (operationId: string) => {
  const content = { 'application/json': { schema: { type: 'object' } } }
  const get = { operationId, responses: { 200: { description: 'ok', content } } }
  return loadContract({ from: writeDocument('api.json', documentWith({ '/mails': { get } })) })
}

test.each(['listMails', 'mail/echo/list', 'a/body/headers/echo/response/declared'])(
  'a scenario of all operations breaks what an operation of the second document keeps: %s',
  async operationId => {
    const mock = await startMock({
      documents: { '/a': await contractOf('other'), '/b': await contractOf(operationId) },
      scenarios: { '*': { breaks: `${operationId}/response/200/content-type` } },
    })
    const response = await send(mock, { method: 'GET', path: '/b/mails' })
    expect(header(response.headers, 'content-type')).not.toMatch(/json/)
  },
)
