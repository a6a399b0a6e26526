import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { evolve, verify } from '../../conformance/index.ts'
import { createHandler } from '../../mock/index.ts'
import { type Contract, type Ledger, loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = { 'application/json': { schema: { type: 'object' } } }
const responses = { 200: { description: 'ok', content: json }, 400: { description: 'no', content: json } }

const flags = (allowEmptyValue: boolean | undefined): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'flags.json',
      documentWith({
        '/q': {
          get: {
            operationId: 'q',
            parameters: Object.entries({
              kind: { type: 'string', enum: ['a'] },
              flag: { type: 'boolean' },
              n: { type: 'integer' },
              name: { type: 'string' },
            }).map(([name, schema]) => ({ name, in: 'query', allowEmptyValue, schema })),
            responses,
          },
        },
      }),
    ),
  })

const statusOf = async (contract: Contract, target: string, init: RequestInit = {}): Promise<number> => {
  const handler = await createHandler({ contract })
  return (await handler(new Request(`http://mock.test${target}`, init))).status
}

test.each([
  [true, 'kind=', 200],
  [true, 'flag', 200],
  [true, 'n=', 200],
  [true, 'n=x', 400],
  [true, 'n=&n=1', 200],
  [undefined, 'name=', 200],
  [undefined, 'n=', 400],
  [false, 'name=', 400],
  [false, 'name=x', 200],
])('with allowEmptyValue: %s the mock answers ?%s with %i', async (allowed, query, status) => {
  expect(await statusOf(await flags(allowed), `/q?${query}`)).toBe(status)
})

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

test('fields of a form in Swagger 2.0 may be empty, or not', async () => {
  const field = (name: string, type: string, allowEmptyValue: boolean): object => ({
    ...{ in: 'formData', name, type, allowEmptyValue },
  })
  const contract = await loadContract({
    from: writeDocument(
      'form.json',
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'A', version: '1' },
        paths: {
          '/a': {
            post: {
              consumes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
              parameters: [field('id', 'string', false), field('n', 'integer', true)],
              responses: { 200: { description: 'ok' }, 400: { description: 'no' } },
            },
          },
        },
      }),
    ),
  })
  const send = (body: BodyInit, headers: Readonly<Record<string, string>> = form): Promise<number> =>
    statusOf(contract, '/a', { method: 'POST', headers, body })
  expect(await Promise.all(['id=x', 'id', 'id=', 'n', 'n=', 'n=x'].map(body => send(body)))).toEqual([
    200, 400, 400, 200, 200, 400,
  ])
  const part = (name: string, text: string): FormData => {
    const parts = new FormData()
    parts.append(name, text)
    return parts
  }
  expect(
    await Promise.all([part('id', ''), part('n', ''), part('n', 'x')].map(body => send(body, {}))),
  ).toEqual([400, 200, 400])
})

type BodyInit = NonNullable<RequestInit['body']>

/** Verifies a server of `/q` that takes an empty value, or not. */
const runOn = async (contract: Contract, takesEmpty: boolean): Promise<Ledger> => {
  const checks: Readonly<Record<string, RegExp>> = { kind: /^a$/, flag: /^(true|false)$/, n: /^-?\d+$/ }
  const server = await listen(
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
      const isRight = [...searchParams].every(([key, text]) =>
        text === '' ? takesEmpty : checks[key]?.test(text) !== false,
      )
      const status = pathname !== '/q' ? 404 : request.method !== 'GET' ? 405 : isRight ? 200 : 400
      response
        .writeHead(status, {
          'content-type': 'application/json',
          ...(status === 405 ? { allow: 'GET' } : {}),
        })
        .end('{}')
    }),
  )
  onTestFinished(server.close)
  return verify({ contract, target: server.url, seed: 1, cases: 400, sustained: 0, strict: true })
}

test('what may be empty has to be taken empty, and what may not is not asked for', async () => {
  const found = async (allowed: boolean, takesEmpty: boolean): Promise<readonly string[]> =>
    (await runOn(await flags(allowed), takesEmpty)).findings.flatMap(({ obligation, also }) => [
      obligation,
      ...also,
    ])
  expect(await found(true, true)).toEqual([])
  expect((await found(true, false)).toSorted()).toEqual([
    ...['flag', 'kind', 'n', 'name'].map(name => `q/request/query/${name}/allowEmptyValue`),
    // It is a text.
    'q/request/query/name/empty',
  ])
  expect(await found(false, false)).toEqual([])
  expect(await found(false, true)).toEqual([])
})

test('that an empty value is allowed no longer breaks clients', async () => {
  const [allowed, silent] = [await flags(true), await flags(undefined)]
  const { differences } = await evolve(allowed, silent)
  expect(differences.map(({ level, witness }) => `${level} ${witness}`)).toContain('breaking GET /q?n=')
  const { differences: others } = await evolve(silent, allowed)
  expect(others.map(({ concerns }) => concerns)).not.toContain('old-clients')
})

test('a request without a body names no media type: a declared 415 is as right as a 400', async () => {
  const content = {
    'application/json': { schema: { type: 'object', required: ['a'], properties: { a: {} } } },
  }
  const contract = await loadContract({
    from: writeDocument(
      'bodies.json',
      documentWith({
        '/o': {
          post: {
            operationId: 'o',
            requestBody: { required: true, content },
            responses: { ...responses, 415: { description: 'another type', content: json } },
          },
        },
      }),
    ),
  })
  const found = async (withoutBody: number): Promise<readonly string[]> => {
    const server = await listen(
      createServer(async (request, response) => {
        const type = request.headers['content-type']
        const body = Buffer.concat(await Array.fromAsync(request)).toString()
        const isJson = /^application\/json\s*(;|$)/i.test(type ?? '')
        const isRight = isJson && /^\s*\{[\s\S]*"(?:a|\\u0061)"/.test(body)
        const status =
          request.url !== '/o'
            ? 404
            : request.method !== 'POST'
              ? 405
              : type === undefined
                ? withoutBody
                : !isJson
                  ? 415
                  : isRight
                    ? 200
                    : 400
        response.writeHead(status, { 'content-type': 'application/json', allow: 'POST' }).end('{}')
      }),
    )
    onTestFinished(server.close)
    const only = ['o/request/body/required/absent', 'o/request/body/required/empty']
    const { findings } = await verify({
      contract,
      target: server.url,
      seed: 1,
      cases: 100,
      sustained: 0,
      only,
    })
    return findings.map(({ obligation }) => obligation)
  }
  expect(await found(415)).toEqual([])
  expect(await found(400)).toEqual([])
  expect(await found(200)).toContain('o/request/body/required/absent')
})
