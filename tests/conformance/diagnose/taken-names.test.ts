/** A server with a rule that the document does not have: that a name was taken is no rule. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { Confirmed } from '../../../conformance/confirm/confirm-incident.ts'
import { excusesOf } from '../../../conformance/diagnose/of-load.ts'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { hasJsonType, strictJson } from '../../strict-json.ts'

const text = { type: 'string' }
const failure = {
  description: 'no',
  content: { 'application/json': { schema: { type: 'object', properties: { error: text } } } },
}
const document = documentWith({
  '/tenants': {
    post: {
      operationId: 'addTenant',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['name'], properties: { name: text, note: text } },
          },
        },
      },
      responses: { 200: { description: 'added' }, 400: failure, 409: failure, 415: failure },
    },
  },
})

type Tenant = { readonly name?: unknown; readonly note?: unknown }

/** Names have three letters at least, and none comes twice. */
const run = async () => {
  const names = new Set<string>()
  const answerTo = (tenant: Tenant | null | undefined): readonly [number, string?] => {
    if (typeof tenant !== 'object' || tenant === null || typeof tenant.name !== 'string')
      return [400, 'the body has to be an object with a text as its name']
    const { name, note } = tenant
    if (note !== undefined && typeof note !== 'string') return [400, 'a note has to be a text']
    if ([...name].length < 3)
      return [400, 'expected a longer name: length 3 to 512, starting and ending with a letter']
    if (names.has(name)) return [409, `Tenant [${name}] already exists`]
    names.add(name)
    return [200]
  }
  const server = createServer(async (request, response) => {
    const tenant = strictJson(Buffer.concat(await request.toArray())) as Tenant | null | undefined
    const isRead = hasJsonType(request) && request.headers['content-encoding'] === undefined
    const [status, error] =
      request.method !== 'POST' ? ([405] as const) : isRead ? answerTo(tenant) : ([415, 'type'] as const)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(error === undefined ? {} : { error }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('tenants.json', document) })
  return (await verify({ contract, target: url, seed: 1, sustained: 0, cases: 600 })).findings
}

test('a name that was taken is never told, however often short names are rejected', async () => {
  const findings = await run()
  expect(
    findings.filter(({ actual }) => actual.includes('already exists')).map(({ title }) => title),
  ).toEqual([])
})

test.each([
  [409, 'variable name a already exists', true],
  [409, 'the variable is locked', false],
  [400, 'variable name a already exists', false],
])('an invalid request that is answered %i «%s» shows nothing: %s', (status, message, isExcused) => {
  const body = Buffer.from(JSON.stringify({ message }))
  const outcome = { kind: 'response', response: { status, headers: [], body }, ms: 1 } as const
  const obligation = { subject: { kind: 'malformed', format: 'json', name: 'invalid-utf8' } }
  const incident = {
    testCase: { expectation: 'reject', obligation, spec: { parameters: {}, encoding: { kind: 'json' } } },
    outcome,
    violation: obligation,
  }
  const confirmed = { incident, repeat: 'unrepeated', key: 'open' } as unknown as Confirmed
  expect(excusesOf(new Map())(confirmed) !== null).toBe(isExcused)
})
