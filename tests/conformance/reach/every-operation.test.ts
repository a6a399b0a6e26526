/** A slow service that rejects what it is sent: looking for what it accepts would take longer than a run. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const things = 12
const properties = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, { type: 'string' }]))
const body = { content: { 'application/json': { schema: { type: 'object', required: ['a'], properties } } } }
const answers = { 200: { description: 'ok' }, 404: { description: 'no' }, 422: { description: 'no' } }

const document = documentWith(
  Object.fromEntries(
    Array.from({ length: things }, (_, index): [string, object][] => [
      [`/things${index}`, { post: { operationId: `make${index}`, requestBody: body, responses: answers } }],
      [
        `/things${index}/{id}/parts`,
        {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { operationId: `parts${index}`, responses: answers },
        },
      ],
    ]).flat(),
  ),
)

const start = async (delayMs: number) => {
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '' } = request
    const [, path = '', of] = /^\/(things\d+)(\/[^/]+\/parts)?(?:\?.*)?$/.exec(url) ?? []
    asked.add(`${method === 'POST' ? 'make' : 'parts'}${path.replace('things', '')}`)
    setTimeout(() => {
      response.statusCode = of === undefined ? 422 : 404
      response.end()
    }, delayMs)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('slow.json', document) })
  return { target: url, contract, asked }
}

test('every operation gets a request before any gets cases, whatever others take', {
  timeout: 60_000,
}, async () => {
  const { asked, ...server } = await start(120)
  let before = 0
  const phase = (name: string): void => {
    if (name === 'cases') before = asked.size
  }
  const watch = { sending: () => () => {}, phase }
  const { end } = await verify({ ...server, seed: 1, maxSeconds: 15, concurrency: 4, sustained: 0, watch })
  expect(before).toBe(2 * things)
  expect(end?.reason).toBeNull()
})

test('a run that has no time for all operations says how many got no request', {
  timeout: 60_000,
}, async () => {
  const { asked, ...server } = await start(400)
  const ledger = await verify({ ...server, seed: 1, maxSeconds: 4, concurrency: 2, sustained: 0 })
  expect(asked.size).toBeLessThan(2 * things)
  expect(ledger.end?.reason).toContain(
    `${2 * things - asked.size} of ${2 * things} operations got no request`,
  )
})
