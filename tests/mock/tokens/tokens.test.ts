/** Tokens that responses give: right from then on, until they expire, and for their scopes. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createWatch, type Mock, type MockOptions } from '../../../mock/index.ts'
import { type Contract, header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { json, jsonOf, send, startMock } from '../client.ts'

const content = (schema: object): object => ({ content: { 'application/json': { schema } } })
const problem = {
  description: 'no',
  ...content({
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'integer' }, message: { type: 'string' } },
  }),
}
const text = { type: 'string', minLength: 1 }
const session = {
  description: 'ok',
  ...content({
    type: 'object',
    required: ['access_token', 'refresh_token', 'expires_in', 'scope'],
    properties: { access_token: text, refresh_token: text, expires_in: { type: 'integer' }, scope: text },
  }),
}
const posting = (operationId: string, properties: object, required: readonly string[]): object => ({
  post: {
    operationId,
    security: [],
    requestBody: { required: true, ...content({ type: 'object', required, properties }) },
    responses: { 200: session, 400: problem, 401: problem },
  },
})
const getting = (operationId: string, security: object, statuses: object): object => ({
  get: { operationId, security: [security], responses: { 200: { description: 'ok' }, ...statuses } },
})

let contract: Contract

beforeAll(async () => {
  const paths = {
    '/login': posting('login', { user: text, scope: text }, ['user']),
    '/secrets': {
      post: {
        operationId: 'storeSecret',
        requestBody: content({ type: 'object', properties: { token: text } }),
        responses: {
          200: { description: 'ok', ...content({ type: 'object', properties: { token: text } }) },
          401: problem,
        },
      },
    },
    '/refresh': posting('refresh', { refresh_token: text }, ['refresh_token']),
    '/orders': getting('orders', { oauth: ['read'] }, { 401: problem, 403: problem }),
    '/admin': getting('admin', { oauth: ['admin'] }, { 401: problem, 403: problem }),
    '/lenient': getting('lenient', { oauth: ['admin'] }, { 401: problem }),
    '/keyed': getting('keyed', { key: [] }, { 401: problem }),
  }
  const tokenUrl = 'https://shop.example/login'
  const securitySchemes = {
    oauth: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl, scopes: { read: 'read', admin: 'all' } } },
    },
    key: { type: 'apiKey', in: 'cookie', name: 'session' },
  }
  const document = documentWith(paths, { components: { securitySchemes } })
  contract = await loadContract({ from: writeDocument('tokens.json', document) })
})

const start = (options: MockOptions = {}): Promise<Mock> =>
  startMock({ contract, issuedTokens: true, ...options })

type Session = { access_token: string; refresh_token: string; expires_in: number; scope: string }

const post = async (mock: Mock, path: string, body: object): Promise<Session> => {
  const response = await send(mock, { method: 'POST', path, headers: json, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return JSON.parse(Buffer.from(response.body).toString()) as Session
}
const login = (mock: Mock, more: object = {}): Promise<Session> =>
  post(mock, '/login', { user: 'ada', ...more })
const get = async (mock: Mock, path: string, token: string, cookie = false) => {
  const headers: Record<string, string> = cookie
    ? { Cookie: `session=${token}` }
    : { Authorization: `Bearer ${token}` }
  const response = await send(mock, { method: 'GET', path, headers })
  return { ...response, code: response.status === 200 ? 0 : (jsonOf(response) as { code: number }).code }
}
const last = (mock: Mock) => mock.journal.entries().at(-1)

test('a token that a login gave is right from then on, and no other', async () => {
  const mock = await start()
  expect(await get(mock, '/orders', 'stranger')).toMatchObject({ status: 401, code: 3 })
  const { access_token: token, refresh_token: refresh } = await login(mock)
  expect((await get(mock, '/orders', token)).status).toBe(200)
  expect((await get(mock, '/orders', refresh)).status).toBe(401)
  expect((await get(mock, '/keyed', token, true)).status).toBe(200)
  expect((await get(mock, '/keyed', 'stranger', true)).status).toBe(401)
  const both = await start({ tokens: ['fixed'] })
  expect((await get(both, '/orders', 'fixed')).status).toBe(200)
  expect((await get(both, '/orders', (await login(both)).access_token)).status).toBe(200)
  expect((await get(both, '/orders', 'stranger')).status).toBe(401)
})

test('every login gives another token, of the scopes that it asked for', async () => {
  const mock = await start()
  const [first, second] = [await login(mock), await login(mock)]
  expect(new Set([first, second].flatMap(each => [each.access_token, each.refresh_token])).size).toBe(4)
  expect([first.scope, first.expires_in]).toEqual(['read admin', 3600])
  expect((await get(mock, '/admin', first.access_token)).status).toBe(200)
  const chosen = await login(mock, { access_token: 'mine' })
  expect(chosen.access_token).not.toBe('mine')
  expect((await get(mock, '/orders', 'mine')).status).toBe(401)
  const narrow = await login(mock, { scope: 'read' })
  expect(narrow.scope).toBe('read')
  expect((await get(mock, '/orders', narrow.access_token)).status).toBe(200)
  expect(await get(mock, '/admin', narrow.access_token)).toMatchObject({ status: 403, code: 4 })
  expect(last(mock)).toMatchObject({ scenario: '403: the token lacks the scope admin', violations: [] })
  expect((await get(mock, '/lenient', narrow.access_token)).status).toBe(200)
})

test('a token that the document lets clients send is theirs, and comes back as it was sent', async () => {
  const mock = await start()
  expect(await post(mock, '/secrets', { token: 'stored' })).toEqual({ token: 'stored' })
  expect((await get(mock, '/orders', 'stored')).status).toBe(401)
})

describe('expiry', () => {
  test('is a scenario of the login, and no breach of the contract by the client', async () => {
    const mock = await start({ scenarios: { login: { expires: 0, scopes: 'read' } } })
    const watch = createWatch(mock)
    const { access_token: token, expires_in: seconds, scope } = await login(mock)
    expect([seconds, scope]).toEqual([0, 'read'])
    expect(last(mock)?.scenario).toBe('tokens for 0 s, tokens with the scopes read')
    const response = await get(mock, '/orders', token)
    expect(response).toMatchObject({ status: 401, code: 3 })
    expect(header(response.headers, 'www-authenticate')).toContain('the token has expired')
    expect(last(mock)).toMatchObject({ scenario: '401: the token has expired', violations: [] })
    watch.check()
  })

  test('comes when a test says so, and a refresh token gets another token, once', async () => {
    for (const options of [{}, { issuedTokens: false }]) {
      const mock = await start(options)
      const first = await login(mock)
      mock.tokens.expire()
      expect((await get(mock, '/orders', first.access_token)).status).toBe(401)
      const second = await post(mock, '/refresh', { refresh_token: first.refresh_token })
      expect((await get(mock, '/orders', second.access_token)).status).toBe(200)
      expect(second.refresh_token).not.toBe(first.refresh_token)
      const again = JSON.stringify({ refresh_token: first.refresh_token })
      const used = await send(mock, { method: 'POST', path: '/refresh', headers: json, body: again })
      expect([used.status, jsonOf(used)]).toMatchObject([401, { message: 'the refresh token is used up' }])
      await fetch(`${mock.url}/__plantstore/tokens`, { method: 'DELETE' })
      expect((await get(mock, '/orders', second.access_token)).status).toBe(401)
    }
  })

  test('applies to operations that give tokens', async () => {
    await expect(start({ scenarios: { orders: { expires: 5 } } })).rejects.toThrow(
      'orders: expires and scopes apply to operations that give tokens, such as a login: this one gives none',
    )
    const mock = await start({ scenarios: { '*': { expires: 0 } } })
    expect((await get(mock, '/orders', (await login(mock)).access_token)).status).toBe(401)
  })
})

test('an answer of the user’s own gives a right token as well', async () => {
  const mock = await start()
  const mine = { access_token: 'mine', refresh_token: 'r', expires_in: 9, scope: 'read' }
  await mock.answer('login', mine)
  expect([await login(mock), await login(mock)]).toEqual([mine, mine])
  expect((await get(mock, '/orders', 'mine')).status).toBe(200)
})

test('a token endpoint that is no operation gives tokens as OAuth has it', async () => {
  const flow = { tokenUrl: 'https://id.example/oauth/token', scopes: { read: 'read', admin: 'all' } }
  const document = documentWith(
    { '/orders': getting('orders', { oauth: ['admin'] }, { 401: problem, 403: problem }) },
    { components: { securitySchemes: { oauth: { type: 'oauth2', flows: { password: flow } } } } },
  )
  const contract = await loadContract({ from: writeDocument('oauth.json', document) })
  const mock = await start({ contract })
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams(fields)
    const response = await fetch(`${mock.url}/oauth/token`, { method: 'POST', body })
    return [response.status, (await response.json()) as Session & { error?: string }] as const
  }
  const [, first] = await ask({ grant_type: 'password', username: 'ada', password: 'x' })
  expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read admin' })
  expect((await get(mock, '/orders', first.access_token)).status).toBe(200)
  const [, second] = await ask({
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token,
    scope: 'read',
  })
  expect((await get(mock, '/orders', second.access_token)).status).toBe(403)
  expect(await ask({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).toMatchObject([
    400,
    { error: 'invalid_grant' },
  ])
  expect(await ask({})).toMatchObject([400, { error: 'invalid_request' }])
  expect(mock.journal.entries()[0]).toMatchObject({
    operation: 'oauth.token',
    scenario: 'token endpoint of oauth',
  })
})

describe('a token endpoint reads', () => {
  const asked = { grant_type: 'password', username: 'ada', password: 'x', scope: 'read' }
  const startEndpoint = async (): Promise<Mock> => {
    const flow = { tokenUrl: 'https://id.example/oauth/token', scopes: { read: 'read', admin: 'all' } }
    const document = documentWith(
      { '/orders': getting('orders', { oauth: ['read'] }, { 401: problem, 403: problem }) },
      { components: { securitySchemes: { oauth: { type: 'oauth2', flows: { password: flow } } } } },
    )
    return start({ contract: await loadContract({ from: writeDocument('oauth.json', document) }) })
  }

  test.each([
    ['a form', 'application/x-www-form-urlencoded', new URLSearchParams(asked).toString()],
    ['a form without a type', undefined, new URLSearchParams(asked).toString()],
    ['JSON', 'application/json', JSON.stringify(asked)],
    ['JSON of another type', 'application/vnd.api+json; charset=utf-8', JSON.stringify(asked)],
  ])('%s', async (_name, type, body) => {
    const mock = await startEndpoint()
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
    const response = await send(mock, {
      method: 'POST',
      path: '/oauth/token',
      headers,
      body: Buffer.from(body),
    })
    expect(response.status).toBe(200)
    const { access_token, scope } = jsonOf(response) as Session
    expect(scope).toBe('read')
    expect((await get(mock, '/orders', access_token)).status).toBe(200)
  })

  test.each([
    ['JSON that is sent as a form', 'application/x-www-form-urlencoded', JSON.stringify(asked)],
    ['a form that is sent as JSON', 'application/json', new URLSearchParams(asked).toString()],
    ['a list', 'application/json', '[]'],
  ])('nothing from %s', async (_name, type, body) => {
    const mock = await startEndpoint()
    const response = await send(mock, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'Content-Type': type },
      body,
    })
    expect([response.status, jsonOf(response)]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'grant_type is missing' },
    ])
  })

  test('no scope from a refresh: then it is that of the token before, and a token of nobody has all', async () => {
    const mock = await startEndpoint()
    const path = '/oauth/token'
    const ask = async (fields: Readonly<Record<string, string>>): Promise<Session> => {
      const body = Buffer.from(new URLSearchParams(fields).toString())
      return jsonOf(await send(mock, { method: 'POST', path, body })) as Session
    }
    const { refresh_token } = await ask(asked)
    expect((await ask({ grant_type: 'refresh_token', refresh_token })).scope).toBe('read')
    expect((await ask({ grant_type: 'refresh_token', refresh_token: 'unknown' })).scope).toBe('read admin')
    expect((await ask({ grant_type: 'client_credentials', scope: '' })).scope).toBe('read admin')
  })
})
