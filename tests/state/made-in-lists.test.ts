/** A service that makes several users at once, of an optional list of names, each of which it takes only once. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string' }
const user = { type: 'object', required: ['name'], properties: { name: text, admin: { type: 'boolean' } } }
const rejected = { description: 'rejected' }
const failures = { 400: rejected, 404: rejected, 409: rejected }
const document = {
  paths: {
    '/users': {
      get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: user }) } },
      post: {
        operationId: 'create',
        requestBody: bodyOf({
          type: 'object',
          properties: { usernames: { type: 'array', items: text }, admin: { type: 'boolean' } },
        }),
        responses: { 201: shown({ type: 'array', items: user }), ...failures },
      },
    },
    '/users/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
      get: { operationId: 'read', responses: { 200: shown(user), ...failures } },
      patch: {
        operationId: 'change',
        requestBody: bodyOf({ type: 'object', properties: { admin: { type: 'boolean' } } }),
        responses: { 200: shown(user), ...failures },
      },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, ...failures } },
    },
  },
}

const serve = () => {
  const users = new Map([['root', true]])
  const done = { created: 0, changed: 0, removed: 0, others: 0 }
  const fail = (status: number, message: string): Answer => ({ status, body: { message } })
  const userOf = (name: string) => ({ name, admin: users.get(name) })
  const answer = ({ method, url, body }: Asked): Answer => {
    const name = url.pathname.split('/').map(decodeURIComponent)[2]
    if (name === undefined && method === 'GET') return { status: 200, body: [...users.keys()].map(userOf) }
    const sent = objectIn(body)
    if (name === undefined) {
      if (method !== 'POST') return { status: 405 }
      const names = sent?.usernames
      if (!Array.isArray(names) || names.length === 0)
        return fail(400, 'Must specify at least one user to create')
      // A path cannot name what is called `.`.
      if (names.some(each => typeof each !== 'string' || /^\.{0,2}$/.test(each) || each.length > 500))
        return fail(400, 'Invalid username')
      const fresh = names.map(String).filter(each => !users.has(each))
      if (fresh.length === 0) return fail(409, `All ${names.length} users already exist`)
      for (const each of fresh) users.set(each, sent?.admin === true)
      done.created += 1
      return { status: 201, body: fresh.map(userOf) }
    }
    if (!users.has(name)) return fail(404, 'no such user')
    if (method === 'GET') return { status: 200, body: userOf(name) }
    if (name === 'root') done.others += 1
    if (name === 'root') return fail(404, 'not yours')
    if (method === 'PATCH') {
      if (sent === null || (sent.admin !== undefined && typeof sent.admin !== 'boolean'))
        return fail(400, 'admin must be a boolean')
      if (typeof sent.admin === 'boolean') users.set(name, sent.admin)
      done.changed += 1
      return { status: 200, body: userOf(name) }
    }
    if (method !== 'DELETE') return { status: 405 }
    users.delete(name)
    done.removed += 1
    return { status: 204 }
  }
  return { answer, users, done }
}

test.each([1, 2, 3])('each request makes one of its own, with seed %i', async seed => {
  const { answer, users, done } = serve()
  await verifyAnswering(document, answer, { seed })
  expect(done.created).toBeGreaterThan(10)
  expect(done.changed).toBeGreaterThan(10)
  expect(done.removed).toBeGreaterThan(10)
  expect(done.others).toBe(0)
  expect([...users.keys()]).toEqual(['root'])
})
