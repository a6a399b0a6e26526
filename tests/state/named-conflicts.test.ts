/** A server that takes each name only once may say so with 403. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { hasJsonType, strictJson } from '../strict-json.ts'

const failure = { description: 'no', content: { 'application/json': { schema: { type: 'object' } } } }
const text = { type: 'string' }
const document = documentWith({
  '/watchers': {
    post: {
      operationId: 'addWatcher',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['machine', 'password'],
              properties: { machine: text, password: text },
            },
          },
        },
      },
      responses: { 201: { description: 'added' }, 400: failure, 403: failure, 415: failure },
    },
  },
})

const run = async (isTold: boolean) => {
  const machines = new Set<string>()
  const answerTo = (body: unknown): readonly [number, string?] => {
    if (typeof body !== 'object' || body === null) return [400, 'an object is needed']
    const { machine, password } = body as { readonly machine?: unknown; readonly password?: unknown }
    if (typeof machine !== 'string' || typeof password !== 'string') return [400, 'a text is missing']
    if (machines.has(machine)) return [403, isTold ? `user '${machine}': user already exist` : 'forbidden']
    machines.add(machine)
    return [201]
  }
  const server = createServer(async (request, response) => {
    const body = strictJson(Buffer.concat(await request.toArray()))
    const isRead = hasJsonType(request) && request.headers['content-encoding'] === undefined
    const [status, message] =
      request.method !== 'POST' ? ([405] as const) : isRead ? answerTo(body) : ([415, 'type'] as const)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('watchers.json', document) })
  return (await verify({ contract, target: url, seed: 1, sustained: 0, cases: 600 })).findings
}

test('a name that was taken is no rule of the server if a 403 names it', async () => {
  const findings = await run(true)
  expect(findings.filter(({ level }) => level === 'MUST').map(({ title }) => title)).toEqual([])
})

test('a 403 that names nothing is told', async () => {
  const findings = await run(false)
  expect(findings.map(({ actual }) => actual).join()).toContain('forbidden')
})
