/** What an operation gives that only seems to create may have been there before: a run neither changes nor removes it. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const user = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const presence = {
  type: 'object',
  required: ['user_id'],
  properties: { user_id: {}, status: { type: 'string' } },
}
const parameters = [{ name: 'user_id', in: 'path', required: true, schema: { type: 'string' } }]
const missing = { description: 'nobody' }
const document = {
  paths: {
    '/users': {
      get: { operationId: 'listUsers', responses: { 200: shown({ type: 'array', items: user }) } },
    },
    '/presence': { post: { operationId: 'setPresence', responses: { 200: shown(presence) } } },
    '/users/{user_id}': {
      parameters,
      get: { operationId: 'readUser', responses: { 200: shown(user), 404: missing } },
      delete: { operationId: 'removeUser', responses: { 204: { description: 'gone' }, 404: missing } },
    },
  },
}

/** Whoever asks is the first user; `names` are new users that `POST /presence` makes, if it makes any. */
const serverWith = (users: Set<string>, make: (() => string) | null) => {
  const removed: string[] = []
  const [first = ''] = users
  const answer = ({ method, url }: Asked): Answer => {
    const [, kind, name] = url.pathname.split('/').map(decodeURIComponent)
    if (kind === 'presence') {
      if (method !== 'POST') return { status: 405 }
      const user_id = make?.() ?? first
      users.add(user_id)
      return { status: 200, body: { user_id } }
    }
    if (name === undefined) return { status: 200, body: [...users].map(each => ({ id: each, name: each })) }
    if (!users.has(name)) return { status: 404 }
    if (method !== 'DELETE') return { status: 200, body: { name } }
    removed.push(name)
    users.delete(name)
    return { status: 204 }
  }
  return { answer, removed }
}

test.each(['admin-of-all', '1'])('the user %s who was there stays', async name => {
  const users = new Set([name])
  const { answer, removed } = serverWith(users, null)
  await verifyAnswering(document, answer)
  expect(removed).toEqual([])
})

test.each([true, false])('a user who was made is removed, also if names come again (%s)', async comeAgain => {
  const users = new Set(['admin-of-all'])
  let count = 0
  const unused = (): number => {
    for (let number = 0; ; number++) if (!users.has(`made-up-${number}`)) return number
  }
  const { answer, removed } = serverWith(users, () => `made-up-${comeAgain ? unused() : count++}`)
  await verifyAnswering(document, answer)
  expect(users).toContain('admin-of-all')
  // A name that comes again at once may come before the run knows that what had it is gone.
  expect(users.size).toBeLessThanOrEqual(comeAgain ? 20 : 1)
  expect(removed.length).toBeGreaterThan(0)
})

const tag = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const tagId = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }]
const getOrCreate = {
  paths: {
    '/tags': {
      get: { operationId: 'listTags', responses: { 200: shown({ type: 'array', items: tag }) } },
      post: {
        operationId: 'addTag',
        requestBody: bodyOf({
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1 } },
        }),
        responses: { 200: shown(tag), 400: missing },
      },
    },
    '/tags/{id}': {
      parameters: tagId,
      get: { operationId: 'readTag', responses: { 200: shown(tag), 404: missing } },
      delete: { operationId: 'removeTag', responses: { 204: { description: 'gone' }, 404: missing } },
    },
  },
}

test.each([1, 2])('what is found in place of being created stays, with seed %i', async seed => {
  const others = Array.from({ length: 40 }, (_, index) => `tag ${index}`)
  const before = [...others, 'Fern', 'a', '1', 'Boston fern (large)', 'null'].map((name, index) => ({
    id: index + 1,
    name,
  }))
  const tags = new Map(before.map(each => [each.id, each]))
  let next = 1000
  await verifyAnswering(
    getOrCreate,
    ({ method, url, body }) => {
      const [, , id, more] = url.pathname.split('/')
      if (more !== undefined) return { status: 404 }
      if (id === undefined && method === 'GET') return { status: 200, body: [...tags.values()] }
      if (id === undefined) {
        const name = objectIn(body)?.name
        if (method !== 'POST') return { status: 405 }
        if (typeof name !== 'string' || name === '') return { status: 400 }
        const known = [...tags.values()].find(each => each.name === name)
        const made = known ?? { id: next++, name }
        tags.set(made.id, made)
        return { status: 200, body: made }
      }
      const found = /^[1-9]\d*$/.test(id) ? tags.get(Number(id)) : undefined
      if (found === undefined) return { status: 404 }
      if (method === 'DELETE') tags.delete(found.id)
      return method === 'DELETE'
        ? { status: 204 }
        : method === 'GET'
          ? { status: 200, body: found }
          : { status: 405 }
    },
    { seed },
  )
  expect([...tags.values()].filter(({ id }) => id < 1000)).toEqual(before)
})
