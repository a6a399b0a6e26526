/** One parameter for several segments, as documents have it that are made from gRPC services. */
import { expect, test } from 'vitest'
import { verify } from '../../../../conformance/index.ts'
import { loadContract } from '../../../../spec/index.ts'
import { startJsonServer } from '../../../json-server.ts'
import { documentWith, writeDocument } from '../../contracts.ts'

const named = (name: string, pattern: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', pattern },
})
const responses = { 200: { description: 'ok' } }

const pathsOf = async (paths: Record<string, object>) => {
  const { operations, document } = await loadContract({
    from: writeDocument('names.json', documentWith(paths)),
  })
  return { paths: operations.map(({ method, path }) => `${method} ${path}`), operations, document }
}

test('the segments are written out, also of paths that were the same', async () => {
  const user = named('name', 'users/[^/]+')
  const { paths } = await pathsOf({
    '/v1/{name}': { get: { parameters: [user], responses } },
    '/v1/{name_1}': { get: { parameters: [named('name_1', '^users/[^/]+/keys/[^/]+$')], responses } },
    '/v1/{key.name}': { patch: { parameters: [named('key.name', 'users/[^/]+/keys/[^/]+')], responses } },
    '/v1/{parent}/keys': { parameters: [named('parent', 'users/[^/]+')], get: { responses } },
    '/v1/{name}:rename': { post: { parameters: [user], responses } },
    '/v1/settings/{name}': { get: { parameters: [named('name', 'app/[^/]+')], responses } },
  })
  expect(paths).toEqual([
    'GET /v1/users/{name}',
    'GET /v1/users/{user}/keys/{name}',
    'PATCH /v1/users/{user}/keys/{name}',
    'GET /v1/users/{user}/keys',
    'POST /v1/users/{name}:rename',
    'GET /v1/settings/app/{name}',
  ])
})

test('other patterns stay, and so do other parameters', async () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } }
  const { paths, operations } = await pathsOf({
    '/v1/{name}': { get: { parameters: [named('name', '^[a-z]+$')], responses } },
    '/v1/dates/{date}': { get: { parameters: [named('date', '\\\\d+/\\\\d+')], responses } },
    '/v2/{name}': { parameters: [limit, named('name', 'users/[^/]+')], get: { responses } },
  })
  expect(paths).toEqual(['GET /v1/{name}', 'GET /v1/dates/{date}', 'GET /v2/users/{name}'])
  expect(operations[2]?.parameters.map(({ name }) => name)).toEqual(['limit', 'name'])
})

test('a path that would be there twice stays as it is', async () => {
  const { paths } = await pathsOf({
    '/v1/users/{name}': { get: { parameters: [named('name', '^[a-z]+$')], responses } },
    '/v1/{name}': { get: { parameters: [named('name', 'users/[^/]+')], responses } },
  })
  expect(paths).toEqual(['GET /v1/users/{name}', 'GET /v1/{name}'])
})

test('nothing is lost beside them: other methods, servers, references, and names of the same place', async () => {
  const user = named('name', 'users/[^/]+')
  const { paths, operations } = await pathsOf({
    '/v1/{name}': {
      servers: [{ url: 'http://127.0.0.1:9/elsewhere' }],
      parameters: [user],
      get: { responses: { 200: { description: 'shown', content: { 'text/plain': {} } } } },
      trace: { parameters: [named('name', 'users/[^/]+')], responses },
    },
    '/v1/users/{user}': {
      delete: { parameters: [named('user', '^[a-z]+$')], responses },
      put: { parameters: [named('user', '^[a-z]+$')], responses },
    },
    '/v1/{name_1}': { delete: { parameters: [named('name_1', 'users/[^/]+')], responses } },
    '/v2/one': { get: { responses: { 200: { $ref: '#/paths/~1v1~1{name}/get/responses/200' } } } },
  })
  expect(paths).toContain('GET /v1/users/{name}')
  expect(paths).toContain('DELETE /v1/users/{user}')
  expect(paths).toContain('PUT /v1/users/{user}')
  expect(paths).toContain('TRACE /v1/{name}')
  const operation = (method: string, path: string) =>
    operations.find(each => each.method === method && each.path === path)
  expect(operation('GET', '/v1/users/{name}')?.servers).toEqual(['http://127.0.0.1:9/elsewhere'])
  expect(operation('GET', '/v2/one')?.responses[0]?.media.map(({ type }) => type)).toEqual(['text/plain'])
})

/** A service in the way of google.api: what it has is named by the end of its path. */
const startService = async () => {
  const users = new Map<string, object>()
  const keys = new Map<string, object>()
  let next = 1
  const target = await startJsonServer(
    ({ method, path: [version, kind, id, part, key, more], sent, answer }) => {
      if (version !== 'v1' || kind !== 'users' || more !== undefined) return answer(404)
      if (id === undefined) {
        if (method === 'GET') return answer(200, { users: [...users.values()] })
        if (method !== 'POST') return answer(405)
        if (typeof sent?.title !== 'string') return answer(400)
        const user = { name: `users/${next++}`, title: sent.title }
        users.set(user.name, user)
        return answer(200, user)
      }
      const name = `users/${id}`
      const user = users.get(name)
      if (user === undefined) return answer(404)
      if (part === undefined) {
        if (method === 'GET') return answer(200, user)
        if (method !== 'DELETE') return answer(405)
        users.delete(name)
        return answer(204)
      }
      if (part !== 'keys') return answer(404)
      if (key === undefined) {
        if (method !== 'POST') return answer(405)
        const made = { name: `${name}/keys/${next++}` }
        keys.set(made.name, made)
        return answer(200, made)
      }
      const whole = `${name}/keys/${key}`
      if (!keys.has(whole)) return answer(404)
      if (method !== 'DELETE') return answer(405)
      keys.delete(whole)
      return answer(204)
    },
  )
  return { target, left: () => [...users.keys(), ...keys.keys()] }
}

test('what has the end of its path as its name is asked for, and removed', async () => {
  const text = { type: 'string' }
  const content = (properties: object) => ({ 'application/json': { schema: { type: 'object', properties } } })
  const shown = (properties: object) => ({ 200: { description: 'ok', content: content(properties) } })
  const failures = Object.fromEntries([400, 404].map(status => [status, { description: 'no' }]))
  const removed = { 204: { description: 'removed' }, ...failures }
  const user = { name: text, title: text }
  const body = {
    required: true,
    content: {
      'application/json': { schema: { type: 'object', required: ['title'], properties: { title: text } } },
    },
  }
  const one = [named('name', 'users/[^/]+')]
  const contract = await loadContract({
    from: writeDocument(
      'service.json',
      documentWith({
        '/v1/users': {
          get: { operationId: 'listUsers', responses: shown({ users: { type: 'array' } }) },
          post: { operationId: 'addUser', requestBody: body, responses: { ...shown(user), ...failures } },
        },
        '/v1/{name}': {
          get: { operationId: 'getUser', parameters: one, responses: { ...shown(user), ...failures } },
        },
        '/v1/{name_1}': {
          delete: {
            operationId: 'dropUser',
            parameters: [named('name_1', 'users/[^/]+')],
            responses: removed,
          },
        },
        '/v1/{parent}/keys': {
          post: {
            operationId: 'addKey',
            parameters: [named('parent', 'users/[^/]+')],
            responses: { ...shown({ name: text }), ...failures },
          },
        },
        '/v1/{name_2}': {
          delete: {
            operationId: 'dropKey',
            parameters: [named('name_2', 'users/[^/]+/keys/[^/]+')],
            responses: removed,
          },
        },
      }),
    ),
  })
  const { target, left } = await startService()
  const { entries, findings } = await verify({ contract, target, seed: 1, sustained: 0, cases: 300 })
  const kinds = ['getUser', 'dropUser', 'addKey', 'dropKey'].map(
    id => entries.find(({ obligation }) => obligation.id === `${id}/request/valid`)?.verdict.kind,
  )
  expect(kinds).toEqual(['passed', 'passed', 'passed', 'passed'])
  expect(findings.filter(({ level }) => level === 'MUST').map(({ title }) => title)).toEqual([])
  expect(left()).toEqual([])
})
