/** The response to HEAD says how long the body would be, and has none: over raw connections as well. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

test.each([
  ['with its length', { 'Content-Length': '20' }],
  ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ['without its length', {}],
])('a response to HEAD is complete without the body: %s', async (_, length) => {
  const server = createServer((request, response) => {
    const isHead = request.method === 'HEAD'
    request.resume().on('end', () => {
      response.writeHead(isHead ? 200 : 405, { ...(isHead ? length : { Allow: 'HEAD' }) })
      response.end()
    })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const ok = { description: 'it is there' }
  const contract = await loadContract({
    from: writeDocument(
      'head.json',
      documentWith({ '/a': { head: { operationId: 'a', responses: { 200: ok } } } }),
    ),
  })
  const { findings, exchanges } = await verify({ contract, target: url, seed: 1, sustained: 0 })
  expect(findings.map(({ title }) => title)).toEqual([])
  expect(exchanges.length).toBeGreaterThan(20)
  expect(exchanges.filter(({ outcome }) => outcome.kind === 'failure')).toEqual([])
})
