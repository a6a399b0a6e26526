/** A run changes and removes nothing of the user whom its own credentials belong to, whatever it may do otherwise. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { type Answer, type Asked, answering, objectIn, shown } from '../conformance/judge/answering.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string', minLength: 1 }
const user = { type: 'object', required: ['name'], properties: { name: text } }
const name = { name: 'name', in: 'path', required: true, schema: text }
const failures = { 400: shown({}), 401: shown({}), 404: shown({}) }
const documentOf = (scheme: object): string =>
  documentWith(
    {
      '/users': {
        get: {
          operationId: 'listUsers',
          responses: { 200: shown({ type: 'array', items: user }), 401: shown({}) },
        },
      },
      '/users/{name}': {
        parameters: [name],
        get: { operationId: 'getUser', responses: { 200: shown(user), ...failures } },
        delete: { operationId: 'removeUser', responses: { 204: { description: 'gone' }, ...failures } },
      },
      '/users/{name}/secret': {
        parameters: [name],
        put: {
          operationId: 'changeSecret',
          requestBody: bodyOf({ type: 'object', required: ['secret'], properties: { secret: text } }),
          responses: { 204: { description: 'changed' }, ...failures },
        },
      },
    },
    { components: { securitySchemes: { it: { type: 'http', ...scheme } } }, security: [{ it: [] }] },
  )

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test.each([
  ['Basic credentials', { scheme: 'basic' }, 'ann:right-password', `Basic ${btoa('ann:right-password')}`],
  ['a JWT', { scheme: 'bearer' }, `${part({ alg: 'x' })}.${part({ sub: 'ann' })}.sign`, null],
])('%s', async (_, scheme, token, header) => {
  const users = new Set(['ann'])
  const touched: string[] = []
  const answer = ({ method, headers, url, body: sent }: Asked): Answer => {
    if (headers.authorization !== (header ?? `Bearer ${token}`)) return { status: 401, body: {} }
    const [, kind, one = '', more, rest] = decodeURIComponent(url.pathname).split('/')
    if (kind !== 'users' || rest !== undefined) return { status: 404, body: {} }
    if (one === '')
      return method === 'GET'
        ? { status: 200, body: [...users].map(each => ({ name: each })) }
        : { status: 405 }
    if (method !== 'GET' && users.has(one)) touched.push(`${method} ${one} ${more}`)
    if (!users.has(one)) return { status: 404, body: {} }
    if (more === undefined && method === 'GET') return { status: 200, body: { name: one } }
    if (more === 'secret' && method === 'PUT')
      return typeof objectIn(sent)?.secret === 'string' ? { status: 204 } : { status: 400, body: {} }
    return { status: more === undefined && method === 'DELETE' ? 204 : 405 }
  }
  const contract = await loadContract({ from: writeDocument('users.json', documentOf(scheme)) })
  const target = await answering(answer)
  const { entries } = await verify({ contract, target, token, seed: 1, sustained: 0, include: ['*'] })
  expect([...new Set(touched)]).toEqual([])
  const verdictOf = (id: string): unknown => entries.find(({ obligation }) => obligation.id === id)?.verdict
  expect(verdictOf('getUser/request/valid')).toMatchObject({ kind: 'passed' })
  expect(verdictOf('changeSecret/request/valid')).not.toMatchObject({ kind: 'passed' })
})

/** Users that are named in bodies, by operations whose paths say what they do. */
const actions = {
  list: { type: 'object', properties: {} },
  create: { type: 'object', required: ['username'], properties: { username: text, role: text } },
  get: { type: 'object', required: ['username'], properties: { username: text } },
  update: { type: 'object', required: ['username', 'role'], properties: { username: text, role: text } },
  refresh_token: { type: 'object', required: ['username'], properties: { username: text } },
  delete: {
    type: 'object',
    required: ['users'],
    properties: { users: { type: 'array', minItems: 1, items: text } },
  },
}
const account = { type: 'object', required: ['username', 'role'], properties: { username: text, role: text } }
const actionsDocument = (isSelfKnown: boolean): string =>
  documentWith(
    Object.fromEntries([
      ...Object.entries(actions).map(([action, sent]) => [
        `/users/${action}`,
        {
          post: {
            operationId: `${action}_users`,
            requestBody: bodyOf(sent),
            responses: {
              200: shown(action === 'list' ? { type: 'array', items: account } : account),
              ...failures,
            },
          },
        },
      ]),
      ...(isSelfKnown
        ? [
            [
              '/users/get_my_user',
              { post: { operationId: 'get_my_user', responses: { 200: shown(account), 401: shown({}) } } },
            ],
          ]
        : []),
    ]),
    { components: { securitySchemes: { it: { type: 'http', scheme: 'bearer' } } }, security: [{ it: [] }] },
  )

test.each([
  ['says whose they are', true],
  ['does not say whose they are', false],
])('opaque credentials, and a server that %s', async (_, isSelfKnown) => {
  const users = new Map([['root-admin', 'admin']])
  const changed: string[] = []
  const done = { get: 0, update: 0, delete: 0 }
  const answer = ({ method, headers, url, body: sent }: Asked): Answer => {
    if (headers.authorization !== 'Bearer right') return { status: 401, body: {} }
    const action = url.pathname.replace('/users/', '')
    if (method !== 'POST') return { status: 405 }
    if (action === 'get_my_user' && isSelfKnown)
      return { status: 200, body: { username: 'root-admin', role: 'admin' } }
    if (action === 'list')
      return { status: 200, body: [...users].map(([username, role]) => ({ username, role })) }
    const given = objectIn(sent)
    const named: unknown[] =
      action === 'delete' && Array.isArray(given?.users) ? given.users : [given?.username]
    const [name] = named
    if (!Object.hasOwn(actions, action)) return { status: 404, body: {} }
    if (typeof name !== 'string' || name === '' || named.some(each => typeof each !== 'string'))
      return { status: 400, body: {} }
    if (action === 'create') {
      if (!users.has(name)) users.set(name, 'user')
      return { status: 200, body: { username: name, role: 'user' } }
    }
    if (named.some(each => !users.has(String(each)))) return { status: 404, body: {} }
    if (action !== 'get') changed.push(...named.map(String))
    if (action === 'update' && typeof given?.role !== 'string') return { status: 400, body: {} }
    if (action === 'get' || action === 'update' || action === 'delete') done[action] += 1
    if (action === 'delete') for (const each of named) users.delete(String(each))
    return { status: 200, body: { username: name, role: users.get(name) ?? 'user' } }
  }
  const contract = await loadContract({ from: writeDocument('actions.json', actionsDocument(isSelfKnown)) })
  const target = await answering(answer)
  await verify({ contract, target, token: 'right', seed: 1, sustained: 0, include: ['*'] })
  expect(changed).not.toContain('root-admin')
  expect(users.has('root-admin')).toBe(true)
  // Others are changed and removed all the same.
  for (const count of Object.values(done)) expect(count).toBeGreaterThan(5)
})
