/** A server whose requests wait for the same lock, such as that of SQLite, until the run gives up on them. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract, type NoteEvent } from '../../../spec/index.ts'
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
