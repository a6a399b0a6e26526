/** What nobody creates is asked for by made-up names; these look as the document shows them. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const digits = /^\d+$/

test.each([
  ['an example', { example: '12fb14bb-600e-4bfa-bd8d-be7f12562c99' }, uuid],
  ['a description', { description: 'The UUID of the logged request' }, uuid],
  ['an example of digits', { example: '4711' }, digits],
  ['examples of digits', { examples: { a: { value: '4711' }, b: { value: '815' } } }, digits],
])('a name is made up by %s', async (_name, shown, form) => {
  const server = createServer((request, response) => {
    request.resume()
    const name = request.url?.split('/')[2] ?? ''
    response.writeHead(request.method !== 'DELETE' ? 405 : form.test(name) ? 204 : 400).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const parameter = { name: 'requestId', in: 'path', required: true, schema: { type: 'string' }, ...shown }
  const document = documentWith({
    '/requests/{requestId}': {
      delete: {
        operationId: 'remove',
        parameters: [parameter],
        responses: { 204: { description: 'gone' }, 400: { description: 'no name' } },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument('requests.json', document) })
  const { entries } = await verify({
    ...{ contract, target: url, seed: 1, sustained: 0, cases: 40 },
    include: ['*'],
    only: ['remove/request/valid'],
  })
  expect(
    entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
  ).toEqual(['remove/request/valid'])
})
