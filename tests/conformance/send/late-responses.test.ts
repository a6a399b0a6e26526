/** What only has to be waited for and came later shows no fault; what stays away does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMiddleware } from '../../../mock/index.ts'
import type { Ledger } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'

const name = 'createPlant/request/framing/expect-continue'

/** A run on a server that sends 100 Continue only to the requests for which this holds; the first is 1. */
const verdictOf = async (isContinued: (nth: number) => boolean) => {
  const middleware = await createMiddleware({ tokens: ['secret'] })
  let nth = 0
  const respond = (request: IncomingMessage, response: ServerResponse): void =>
    middleware(request, response, () => void response.writeHead(404).end())
  const server = createServer(respond)
  server.on('checkContinue', (request, response) => {
    nth += 1
    if (isContinued(nth)) response.writeContinue()
    respond(request, response)
  })
  const { url: target, close } = await listen(server)
  onTestFinished(close)
  const ledger: Ledger = await verify({
    target,
    token: 'secret',
    seed: 1,
    cases: 200,
    sustained: 0,
    concurrency: 1,
    timeoutMs: 600,
    only: [name],
  })
  expect(nth).toBeGreaterThan(1)
  return {
    verdict: ledger.entries.find(({ obligation }) => obligation.id === name)?.verdict,
    findings: ledger.findings.map(({ title }) => title),
  }
}

test('a 100 Continue that came too late once is no finding', async () => {
  const { verdict, findings } = await verdictOf(nth => nth > 1)
  expect(findings).toEqual([])
  expect(verdict).toEqual({
    kind: 'inconclusive',
    cases: 1,
    reason: 'what it waits for did not come in time once, and came when it was repeated',
  })
})

test('a 100 Continue that never comes is one', async () => {
  const { verdict, findings } = await verdictOf(() => false)
  expect(findings).toEqual([
    'sent neither 100 Continue nor a response before the body of a request with `Expect: 100-continue`',
  ])
  expect(verdict).toMatchObject({ kind: 'failed' })
})
