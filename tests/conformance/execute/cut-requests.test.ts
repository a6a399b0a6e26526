/** A response that does not come holds no run up beyond its time, and nothing is said of the request. */
import { createServer, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const content = { 'application/json': { schema: { type: 'object' } } }
const document = documentWith({
  '/things': {
    get: { operationId: 'listThings', responses: { 200: { description: 'all', content } } },
    post: {
      operationId: 'addThing',
      requestBody: { required: true, content },
      responses: { 200: { description: 'added', content }, 400: { description: 'invalid' } },
    },
  },
})

test.each([1, 16])(
  'with %i in flight, a run ends in its time, and so do its connections',
  async concurrency => {
    const held: ServerResponse[] = []
    let count = 0
    const server = createServer((request, response) => {
      request.resume()
      count += 1
      // All kinds of requests, of which some go over connections of their own.
      if (count > 60 && count % 7 === 0) return void held.push(response)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const { url, close } = await listen(server)
    onTestFinished(close)
    const began = performance.now()
    const ledger = await verify({
      ...{ contract: writeDocument('things.json', document), target: url, seed: 1, concurrency },
      ...{ maxSeconds: 2, timeoutMs: 30_000 },
    })
    expect(performance.now() - began).toBeLessThan(6000)
    expect(held.length).toBeGreaterThan(0)
    expect(ledger.findings.filter(({ outcome }) => outcome.kind === 'failure')).toEqual([])
    const reasons = ledger.entries.flatMap(({ verdict }) =>
      verdict.kind === 'untested' ? [verdict.reason] : [],
    )
    expect(reasons).toContain('the time of the run was up before its response came')
    while (held.some(({ socket }) => socket?.destroyed === false)) await setImmediate()
  },
)
