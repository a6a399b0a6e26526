/** What frameworks do by default and their documents allow is no fault, whatever is peculiar about it. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import type { Finding, Ledger } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { strictJson } from '../../strict-json.ts'

const text = { type: 'string', maxLength: 40 }
const properties = {
  name: { type: 'string', minLength: 1, maxLength: 40 },
  tags: { type: 'array', items: text },
  note: { anyOf: [text, { type: 'null' }] },
  due: { type: 'string', format: 'date-time' },
}
const input = { type: 'object', required: ['name'], properties, additionalProperties: false }
const instance = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, ...properties },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const path = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }
const ok = (schema: object) => ({ description: 'ok', ...json(schema) })
const none = { description: 'none' }

/** Its document declares no failure for a body, or none for credentials: `failures` of the operation that creates. */
const storeDocument = (failures: object): string =>
  writeDocument(
    'store.json',
    documentWith(
      {
        '/things/': {
          post: {
            operationId: 'create',
            security: [{ token: [] }],
            requestBody: { required: true, ...json(input) },
            responses: { 201: ok(instance), ...failures },
          },
        },
        '/things/{id}/': {
          parameters: [path],
          get: { operationId: 'read', responses: { 200: ok(instance), 404: none } },
          delete: { operationId: 'remove', responses: { 204: none, 404: none } },
        },
        '/login': {
          post: {
            operationId: 'logIn',
            requestBody: { required: true, ...json({ type: 'object', properties: { password: text } }) },
            responses: { 200: none, 401: none },
          },
        },
      },
      { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } },
    ),
  )

const challenge = 'Bearer realm="things"'

type Habits = {
  /** Which of two failures is told if a request has both. */
  readonly first: 'credentials' | 'body'
  readonly accepts: (name: string) => boolean
}

/** A store that fills in null, writes instants in another way, and leaves out empty lists. */
const startStore = async ({ first, accepts }: Habits): Promise<string> => {
  const instances = new Map<number, object>()
  const isInstance = (value: unknown): value is Record<string, unknown> & { name: string } => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const {
      name,
      tags = [],
      note = null,
      due = '2024-01-01T00:00:00Z',
      ...more
    } = value as Record<string, unknown>
    const isText = (each: unknown): each is string => typeof each === 'string' && [...each].length <= 40
    return (
      isText(name) &&
      name !== '' &&
      accepts(name) &&
      Object.keys(more).length === 0 &&
      Array.isArray(tags) &&
      tags.every(isText) &&
      (note === null || isText(note)) &&
      typeof due === 'string' &&
      /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(due) &&
      isDay(due)
    )
  }
  const answer = (response: ServerResponse, status: number, body?: object, isGiven = false): void => {
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(status === 401
        ? { 'WWW-Authenticate': isGiven ? `${challenge}, error="invalid_token"` : challenge }
        : {}),
    })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
  const create = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const { authorization = '', 'content-type': type = '' } = request.headers
    const value = /^application\/json *(;|$)/i.test(type) ? strictJson(body) : undefined
    const failures = {
      credentials: /^bearer +secret$/i.test(authorization) && authorization.endsWith('secret') ? null : 401,
      body: isInstance(value) ? null : 422,
    }
    const failure = failures[first] ?? failures.credentials ?? failures.body
    if (failure !== null || !isInstance(value))
      return answer(response, failure ?? 422, undefined, authorization !== '')
    const { tags, note = null, due, ...rest } = value
    const id = instances.size + 1
    const made = {
      id,
      ...rest,
      note,
      ...(Array.isArray(tags) && tags.length > 0 ? { tags } : {}),
      ...(typeof due === 'string' ? { due: new Date(due).toISOString() } : {}),
    }
    instances.set(id, made)
    answer(response, 201, made)
  }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const { method = '', url = '' } = request
    const at = new URL(url, 'http://localhost').pathname
    const id = /^\/things\/([^/]+)\/$/.exec(at)?.[1]
    if (at === '/things/' && method === 'POST') return create(request, response, body)
    if (at === '/login' && method === 'POST') return answer(response, 401)
    if (id === undefined || !['GET', 'DELETE'].includes(method)) return answer(response, 404)
    const found = /^[1-9]\d*$/.test(id) ? instances.get(Number(id)) : undefined
    if (found === undefined) return answer(response, 404)
    if (method === 'GET') return answer(response, 200, found)
    instances.set(Number(id), undefined as never)
    answer(response, 204)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

/** Date.parse takes the 31st of February. */
const isDay = (due: string): boolean => {
  const [day = ''] = due.split(/t/i)
  return !Number.isNaN(Date.parse(due)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

const run = async (failures: object, habits: Partial<Habits> = {}, seed = 1): Promise<Ledger> => {
  const target = await startStore({ first: 'credentials', accepts: () => true, ...habits })
  const contract = storeDocument(failures)
  return verify({ target, contract, token: 'secret', seed, strict: true, sustained: 0 })
}

const shown = ({ findings }: Ledger): readonly string[] =>
  findings.map(({ title, obligation, level }: Finding) => `${level} ${title} (${obligation})`)

test.each([
  ['credentials', { 422: none }],
  ['body', { 401: none }],
  ['credentials', {}],
] as const)('a store that looks at the %s first and declares %j is not blamed', async (first, failures) => {
  const ledger = await run(failures, { first })
  expect(shown(ledger)).toEqual([])
  const tested = ledger.entries.filter(({ obligation }) =>
    /^(create|read|remove)\/request\/valid$/.test(obligation.id),
  )
  expect(tested.map(({ verdict }) => verdict.kind)).toEqual(['passed', 'passed', 'passed'])
})

test('a login that rejects every password, as it declares, is not tested', async () => {
  const { entries } = await run({ 401: none, 422: none })
  const verdict = entries.find(({ obligation }) => obligation.id === 'logIn/request/valid')?.verdict
  expect(verdict).toMatchObject({ kind: 'untested', reason: expect.stringContaining('--skip logIn') })
})

test('what SHOULD be accepted is no MUST because its rejection is undeclared, as every rejection is', async () => {
  const accepts = (name: string): boolean => !name.includes('\u0000')
  expect(shown(await run({}, { accepts }))).toEqual([
    'SHOULD rejected a string with the NUL character as `name` ("\\u0000") (create/request/body/name/nul)',
  ])
})
