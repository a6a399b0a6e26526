/** Servers that let all requests wait: for one lock, such as that of SQLite, or for a pause of their own. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract, type NoteEvent, plantStoreDocument } from '../../../spec/index.ts'
import { brokenServers, startServer } from '../../broken-servers/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const kinds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const document = documentWith(
  Object.fromEntries(
    kinds.map(kind => [
      `/${kind}`,
      {
        get: {
          operationId: kind,
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema: { type: 'integer' } } } },
            405: { description: 'no' },
          },
        },
      },
    ]),
  ),
)

// The stall is 200 ms longer than the time limit: a machine that is busy for longer than that shows another server.
test('what hangs beside others, and not alone, is no finding: a note says so, and fewer are sent at once', {
  retry: 2,
}, async () => {
  const timeoutMs = 2000
  let waiting: (() => void)[] = []
  let stalls = 0
  const server = createServer((request, response) => {
    request.resume()
    waiting.push(() => {
      const isKnown = kinds.includes((request.url ?? '').slice(1).split('?')[0] ?? '')
      response.writeHead(isKnown ? (request.method === 'GET' ? 200 : 405) : 404, {
        'Content-Type': 'application/json',
      })
      response.end('1')
    })
    const answerAll = (): void => {
      for (const answer of waiting) answer()
      waiting = []
    }
    if (waiting.length === 1) setImmediate(() => waiting.length === 1 && answerAll())
    else if (waiting.length === 2) {
      stalls += 1
      setTimeout(answerAll, timeoutMs + 200)
    }
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('locks.json', document) })
  const notes: NoteEvent[] = []
  const { findings, end } = await verify({
    ...{ contract, target: url, seed: 1, cases: 200, sustained: 0, timeoutMs },
    onEvent: event => {
      if (event.type === 'note') notes.push(event)
    },
  })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
  expect(end?.stopped).toBe('done')
  expect(notes.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^the server let all requests in flight wait for seconds, \d+ times?: /),
  )
  expect(stalls).toBeLessThan(20)
})

// The tenth request comes when the requests in flight are those for credentials: what hung first would be left out.
test('a pause of a server with one operation hides no fault, and is no finding', { retry: 2 }, async () => {
  const timeoutMs = 1500
  const parts = brokenServers.find(({ name }) => name === 'takes-test-token')?.parts() ?? {}
  let end = 0
  const { url, token, close } = await startServer({
    name: 'pauses-once',
    about: 'The token test is accepted, and nothing is answered for two seconds once.',
    parts: () => ({
      ...parts,
      respond: async (response, exchange) => {
        if (exchange.nth === 10) end = performance.now() + timeoutMs + 500
        const left = end - performance.now()
        if (left > 0) await exchange.wait(left)
        return parts.respond === undefined ? response : parts.respond(response, exchange)
      },
    }),
  })
  onTestFinished(close)
  const contract = await loadContract({ from: plantStoreDocument.pathname })
  const { findings } = await verify({
    ...{ target: url, token, contract, seed: 7, cases: 1500, strict: true, sustained: 0, timeoutMs },
  })
  expect(end).toBeGreaterThan(0)
  expect(findings.map(({ title }) => title)).toEqual([
    'accepted a request with a placeholder instead of the token',
  ])
})
