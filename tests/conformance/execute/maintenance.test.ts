/** A server that a request of the run puts into maintenance: that is one cause, and not one for each operation. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { objectIn } from '../judge/answering.ts'

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const said = { description: 'said', content: { 'application/json': { schema: { type: 'object' } } } }
const requestBody = { required: true, content: { 'application/json': { schema } } }
const places = ['beds', 'pots', 'seeds', 'tools']
const document = documentWith(
  Object.fromEntries(
    places.map(place => [
      `/${place}`,
      { post: { operationId: `add-${place}`, requestBody, responses: { 201: said, 400: said } } },
    ]),
  ),
)

const closed = 'The garden is currently closed for maintenance'

/** Takes so many requests; then it is closed, or so busy that it serves every other one. */
const serving = async (most: number, isBusy: boolean): Promise<string> => {
  let count = 0
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    count += 1
    const isOut = count > most && (!isBusy || count % 2 === 0)
    const isRight = typeof objectIn(body)?.name === 'string'
    const isKnown = request.method === 'POST' && places.includes((request.url ?? '').slice(1))
    const isJson = /^application\/json(?:;|$)/i.test(request.headers['content-type'] ?? '')
    const status = isOut ? 503 : isKnown ? (isJson && isRight ? 201 : 400) : 404
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isOut ? { message: closed } : {}))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

const runOn = async (target: string) =>
  verify({
    contract: await loadContract({ from: writeDocument('garden.json', document) }),
    ...{
      target,
      seed: 1,
      cases: 400,
      sustained: 0,
      only: ['*/request/body/name', '*/request/valid', '*/stability/drift'],
    },
  })

test('it is told as that, with a hint at what may have done it', async () => {
  const { findings } = await runOn(await serving(150, false))
  expect(new Set(findings.map(({ title }) => title))).toEqual(
    new Set(['stopped accepting valid requests during the run (503)']),
  )
  expect(new Set(findings.map(({ cause }) => cause?.key)).size).toBe(1)
  expect(findings[0]?.hint).toContain('out of service')
})

test('a server that is only busy has not gone out of service', async () => {
  const { findings } = await runOn(await serving(150, true))
  expect(findings.map(({ title }) => title).filter(title => title.includes('stopped accepting'))).toEqual([])
})
