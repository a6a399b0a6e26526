/**
 * Repositories that are made below their user or group, and asked for at a path of their own, `/repos/{owner}/{repo}`, as with GitHub, Gitea and
 * their like: what was made is found by what its response says, and removed.
 */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = (schema: object, description = 'as it is') => ({
  description,
  content: { 'application/json': { schema } },
})
const text = { type: 'string', pattern: '^[a-z0-9]{1,40}$' }
const repo = { $ref: '#/components/schemas/Repo' }
const no = json({ type: 'object' }, 'no')
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: text })
const [owner, name] = [parameter('owner'), parameter('repo')]
const named = (properties: object) => ({
  required: true,
  content: {
    'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } },
  },
})
const failures = { 400: no, 404: no, 409: no }
const components = {
  schemas: {
    User: { type: 'object', required: ['id', 'login'], properties: { id: { type: 'integer' }, login: text } },
    Repo: {
      type: 'object',
      required: ['id', 'name', 'owner'],
      properties: { id: { type: 'integer' }, name: text, owner: { $ref: '#/components/schemas/User' } },
    },
  },
}
const create = (operationId: string) => ({
  operationId,
  requestBody: named({ name: text }),
  responses: { 201: json(repo), ...failures },
})
const reading = {
  '/repos/{owner}/{repo}': {
    parameters: [owner, name],
    get: { operationId: 'getRepo', responses: { 200: json(repo), ...failures } },
    delete: { operationId: 'deleteRepo', responses: { 204: { description: 'gone' }, ...failures } },
  },
  '/repos/{owner}/{repo}/branches': {
    parameters: [owner, name],
    get: { operationId: 'getBranches', responses: { 200: json({ type: 'array' }), ...failures } },
  },
  '/repos/search': {
    get: {
      operationId: 'findRepos',
      responses: { 200: json({ type: 'object', properties: { data: { type: 'array', items: repo } } }) },
    },
  },
}
const making = {
  '/user/repos': { post: create('createOwnRepo') },
  '/groups': {
    post: {
      operationId: 'createGroup',
      requestBody: named({ login: text }),
      responses: { 201: json({ $ref: '#/components/schemas/User' }), ...failures },
    },
  },
  '/groups/{group}': {
    parameters: [parameter('group')],
    get: {
      operationId: 'getGroup',
      responses: { 200: json({ $ref: '#/components/schemas/User' }), ...failures },
    },
    delete: { operationId: 'deleteGroup', responses: { 204: { description: 'gone' }, ...failures } },
  },
  '/groups/{group}/repos': { parameters: [parameter('group')], post: create('createGroupRepo') },
}

const start = async () => {
  const groups = new Map([['theirs', 1]])
  const repos = new Map([['theirs/repo', 2]])
  let id = 10
  const shown = (key: string) => ({
    id: repos.get(key),
    name: key.split('/')[1],
    owner: { id: 7, login: key.split('/')[0] },
  })
  const url = await startJsonServer(({ method, path, sent, answer }) => {
    const [kind = '', one = '', other, more] = path
    const isText = (value: unknown): value is string =>
      typeof value === 'string' && /^[a-z0-9]{1,40}$/.test(value)
    const make = (of: string): void => {
      const key = isText(sent?.name) ? `${of}/${sent.name}` : null
      if (key === null) answer(400, {})
      else if (repos.has(key)) answer(409, {})
      else {
        repos.set(key, id++)
        answer(201, shown(key))
      }
    }
    if (path.length === 2 && kind === 'user' && one === 'repos')
      return method === 'POST' ? make('me') : answer(405, {})
    if (path.length === 2 && kind === 'repos' && one === 'search')
      return method === 'GET' ? answer(200, { data: [...repos.keys()].map(shown) }) : answer(405, {})
    if (kind === 'groups') {
      if (path.length === 1) {
        if (method !== 'POST') return answer(405, {})
        const login = sent?.login
        if (!isText(login)) return answer(400, {})
        if (groups.has(login)) return answer(409, {})
        groups.set(login, id++)
        return answer(201, { id: groups.get(login), login })
      }
      const known = groups.get(one)
      if (path.length === 3 && other === 'repos') {
        if (method !== 'POST') return answer(405, {})
        return known === undefined ? answer(404, {}) : make(one)
      }
      if (path.length !== 2) return answer(404, {})
      if (method !== 'GET' && method !== 'DELETE') return answer(405, {})
      if (known === undefined) return answer(404, {})
      if (method === 'GET') return answer(200, { id: known, login: one })
      // What still has repositories stays.
      if ([...repos.keys()].some(key => key.startsWith(`${one}/`))) return answer(409, {})
      groups.delete(one)
      return answer(204)
    }
    const key = `${one}/${other}`
    if (kind !== 'repos' || path.length < 3 || path.length > 4 || (more !== undefined && more !== 'branches'))
      return answer(404, {})
    if (method !== 'GET' && !(method === 'DELETE' && more === undefined)) return answer(405, {})
    if (!repos.has(key)) return answer(404, {})
    if (method === 'GET') return answer(200, more === undefined ? shown(key) : [])
    repos.delete(key)
    return answer(204)
  })
  return { url, left: () => [...groups.keys(), ...repos.keys()] }
}

const run = async (paths: object) => {
  const { url, left } = await start()
  const contract = await loadContract({
    from: writeDocument('repos.json', documentWith(paths, { components })),
  })
  const { entries, findings } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 900 })
  const verdictOf = (id: string): string | undefined =>
    entries.find(({ obligation }) => obligation.id === id)?.verdict.kind
  return { verdictOf, left: left(), titles: findings.map(({ title }) => title) }
}

test('what is made elsewhere is asked for by what the response says, and removed', async () => {
  const { verdictOf, left, titles } = await run({ ...making, ...reading })
  expect(titles).toEqual([])
  for (const id of ['getRepo', 'deleteRepo', 'getBranches', 'createGroupRepo'])
    expect([id, verdictOf(`${id}/request/valid`)]).toEqual([id, 'passed'])
  expect(left).toEqual(['theirs', 'theirs/repo'])
})

test('what nobody can make is found in a list elsewhere', async () => {
  const { verdictOf, left, titles } = await run(reading)
  expect(titles).toEqual([])
  for (const id of ['getRepo', 'getBranches'])
    expect([id, verdictOf(`${id}/request/valid`)]).toEqual([id, 'passed'])
  expect(left).toEqual(['theirs', 'theirs/repo'])
})
