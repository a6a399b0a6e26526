/** Every operation is tried before the cases: several at a time, and as if it were one after the other. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const operations = 40
const concurrency = 4

const document = writeDocument(
  'forty.json',
  documentWith(
    Object.fromEntries(
      Array.from({ length: operations }, (_, index) => [
        `/things${index}`,
        { get: { operationId: `get${index}`, responses: { 200: { description: 'ok' } } } },
      ]),
    ),
  ),
)

/** What a server does with its first requests: how many there were so far, how many are open, and those that it has not answered. */
type Behaviour = (
  response: ServerResponse,
  seen: { readonly count: number; readonly open: number; readonly path: string },
) => void

const run = async (behaviour: Behaviour, timeoutMs = 10_000, cases = 1) => {
  const seen = { count: 0, open: 0, most: 0 }
  const server = createServer(({ url = '' }, response) => {
    seen.count += 1
    seen.open += 1
    seen.most = Math.max(seen.most, seen.open)
    response.on('close', () => {
      seen.open -= 1
    })
    behaviour(response, { ...seen, path: url })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ledger: Ledger = await verify({
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    contract: await loadContract({ from: document }),
    cases,
    sustained: 0,
    concurrency,
    timeoutMs,
    seed: 1,
  })
  return { ledger, seen }
}

const ok = (response: ServerResponse): void => {
  response.writeHead(200).end()
}

test('as many operations are tried at the same time as a run has requests in flight, after the first one', async () => {
  const waiting: ServerResponse[] = []
  const { ledger, seen } = await run((response, { count }) => {
    if (count === 1 || count > 1 + concurrency) return ok(response)
    // The others come only if none of these has to be answered before.
    waiting.push(response)
    if (waiting.length === concurrency) waiting.forEach(ok)
  })
  expect(seen.most).toBe(concurrency)
  expect(seen.count).toBeGreaterThanOrEqual(operations)
  expect([ledger.end?.stopped, ledger.findings]).toEqual(['done', []])
})

test('a server that responds to one request at a time only is not taken for one that is silent', async () => {
  const { ledger } = await run((response, { open }) => {
    if (open === 1) ok(response)
  }, 300)
  expect([ledger.end?.stopped, ledger.findings]).toEqual(['done', []])
})

test('if nobody responds any more, no further operation is tried', async () => {
  const { ledger, seen } = await run((response, { count }) => {
    if (count === 1) ok(response)
  }, 200)
  expect(ledger.end?.stopped).toBe('unreachable')
  expect(seen.count).toBeLessThan(operations)
})

test.each([0, 3])('operation %i hangs: the others are tested all the same', async index => {
  const { ledger } = await run(
    (response, { path }) => {
      if (!new RegExp(`^/things${index}(?!\\d)`).test(path)) ok(response)
    },
    300,
    200,
  )
  expect(ledger.end?.stopped).toBe('done')
  expect(ledger.findings.map(({ obligation, title }) => [obligation, title])).toEqual([
    [`get${index}/request/valid`, 'did not respond to each valid request in time'],
  ])
  const passed = ledger.entries.filter(({ verdict }) => verdict.kind === 'passed')
  expect(new Set(passed.map(({ obligation }) => obligation.operation)).size).toBe(operations - 1)
})
