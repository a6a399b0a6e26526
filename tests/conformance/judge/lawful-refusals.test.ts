/** Answers that a request itself asks for: to wait, and not to do it if a condition does not hold. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const said = { description: 'said' }

test('a server that waits as long as it is asked to does not hang', async () => {
  const whole = { type: 'integer', minimum: 0 }
  const contract = await loadContract({
    from: writeDocument(
      'waits.json',
      documentWith({
        '/delay/{delay}': {
          get: {
            operationId: 'wait',
            parameters: [
              { name: 'delay', in: 'path', required: true, schema: whole },
              { name: 'duration', in: 'query', schema: whole },
            ],
            responses: { 200: said, 400: said },
          },
        },
      }),
    ),
  })
  let left = 0
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const values = [pathname.split('/').at(-1) ?? '', searchParams.get('duration') ?? '0']
    const isRight = searchParams.getAll('duration').length < 2 && values.every(value => /^\d+$/.test(value))
    if (isRight && values.some(value => Number(value) > 1)) left += 1
    else response.writeHead(isRight ? 200 : 400).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const { findings, entries } = await verify({
    contract,
    target: url,
    seed: 1,
    sustained: 0,
    cases: 60,
    timeoutMs: 200,
    only: ['wait/request/**'],
  })
  expect(left).toBeGreaterThan(0)
  expect(findings.filter(({ title }) => title.includes('in time')).map(({ title }) => title)).toEqual([])
  expect(entries.map(({ verdict }) => ('reason' in verdict ? verdict.reason : ''))).toContainEqual(
    expect.stringMatching(/^the request asks the server to wait/),
  )
})

test.each([
  [412, 'If-Match'],
  [412, 'If-None-Match'],
  [304, 'If-None-Match'],
  [304, 'If-Modified-Since'],
])('%i is no rejection of a request with %s, whatever it says', async (status, name) => {
  const contract = await loadContract({
    from: writeDocument(
      'conditions.json',
      documentWith({
        '/thing': {
          get: {
            operationId: 'getThing',
            parameters: [{ name, in: 'header', schema: { type: 'string' } }],
            responses: { 200: said, [status]: said, 400: said },
          },
        },
      }),
    ),
  })
  const server = createServer((request, response) => {
    const sent = request.headers[name.toLowerCase()]
    response.writeHead(sent === undefined ? 200 : status).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const { findings } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 40 })
  expect(findings.filter(({ title }) => title.includes(String(status)) || title.includes(name))).toEqual([])
})

test('a 404 for a name that nobody made is an undeclared status, and no rejection of a valid request', async () => {
  const contract = await loadContract({
    from: writeDocument(
      'names.json',
      documentWith({
        '/things/{name}': {
          get: {
            operationId: 'getThing',
            parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 200: said, 422: said },
          },
        },
      }),
    ),
  })
  const server = createServer((_request, response) => void response.writeHead(404).end())
  const { url, close } = await listen(server)
  onTestFinished(close)
  const { findings } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 40 })
  expect(findings.map(({ obligation }) => obligation)).toEqual(['getThing/response/declared'])
})
