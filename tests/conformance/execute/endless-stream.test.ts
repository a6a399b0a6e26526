/** A stream that never ends is judged by the items that came, as its clients see it. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { during } from '../../cli/command.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const change = { type: 'object', required: ['stock'], properties: { stock: { type: 'integer' } } }

/** A run against a server that sends this text, and then nothing more. */
const runOn = async (type: string, text: string, fields: Readonly<Record<string, string>> = {}) => {
  const responses = { 200: { description: 'ok', content: { [type]: { itemSchema: change } } } }
  const paths = { '/changes': { get: { operationId: 'watch', responses } } }
  const contract = await loadContract({
    from: writeDocument('changes.json', documentWith(paths, { openapi: '3.2.0' })),
  })
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': type, ...fields }).write(text)
  })
  const options = { contract, seed: 1, cases: 20, sustained: 0, timeoutMs: 800 }
  return during(listen(server), ({ url: target }) =>
    verify({ ...options, target, only: ['*/request/*', '*/response/*'] }),
  )
}

const verdictOf = ({ entries }: Ledger, end: string): string | undefined =>
  entries.find(({ obligation }) => obligation.id.endsWith(end))?.verdict.kind

test.concurrent.each([
  ['text/event-stream', ': hello\n\ndata: {"stock":1}\n\ndata: {"st'],
  ['text/event-stream', 'data: {"stock":1}\r\n\r\n'],
  ['application/jsonl', '{"stock":1}\n{"st'],
  ['application/json-seq', '\u001e{"stock":1}\n\u001e{"st'],
])('%s without an end passes, without the item that has only begun (%j)', async (type, text) => {
  const ledger = await runOn(type, text)
  expect(ledger.findings.map(({ title }) => title)).toEqual([])
  const tested = ['/items', '/length', '/connection-close', '/version-1.0']
  expect(tested.map(end => verdictOf(ledger, end))).toEqual(tested.map(() => 'passed'))
  // Over a raw connection, too, a stream is left.
  expect(ledger.exchanges.filter(({ outcome }) => outcome.kind === 'failure')).toEqual([])
})

test.concurrent('an item that breaks its schema is found', async () => {
  const { findings } = await runOn('text/event-stream', 'data: {"stock":"x"}\n\n')
  expect(findings.map(({ obligation }) => obligation)).toEqual([expect.stringMatching(/\/200\/items$/)])
})

test.concurrent('a stream that announces its length has an end', async () => {
  const ledger = await runOn('text/event-stream', 'data: {"stock":1}\n\n', { 'Content-Length': '100' })
  expect(verdictOf(ledger, '/length')).toBe('failed')
})
