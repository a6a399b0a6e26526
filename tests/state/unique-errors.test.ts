/** A service that takes each name once, for what it creates and what it changes, and fails with a server error otherwise. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string', minLength: 1 }
const sent = { type: 'object', required: ['name'], properties: { name: text } }
const user = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, name: text } }
const rejected = { description: 'rejected' }
const failures = { 400: rejected, 404: rejected }
const document = {
  paths: {
    '/users': {
      post: {
        operationId: 'create',
        requestBody: bodyOf(sent),
        responses: { 201: shown(user), ...failures },
      },
    },
    '/users/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'read', responses: { 200: shown(user), ...failures } },
      post: {
        operationId: 'change',
        requestBody: bodyOf(sent),
        responses: { 200: shown(user), ...failures },
      },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, ...failures } },
    },
  },
}

const serve = (words: string) => {
  const names = new Map<number, string>()
  /** What came of each change that was not invalid. */
  const changes: number[] = []
  let next = 1
  const answer = ({ method, url, body }: Asked): Answer => {
    const [, , id] = url.pathname.split('/')
    const key = Number(id)
    const { name } = objectIn(body) ?? {}
    const isTaken = (): boolean => [...names].some(([other, each]) => each === name && other !== key)
    if (id === undefined && method !== 'POST') return { status: 405 }
    if (id !== undefined && !names.has(key)) return { status: 404 }
    if (id !== undefined && method === 'DELETE') {
      names.delete(key)
      return { status: 204 }
    }
    if (id !== undefined && method === 'GET') return { status: 200, body: { id: key, name: names.get(key) } }
    if (method !== 'POST') return { status: 405 }
    if (typeof name !== 'string' || name === '') return { status: 400 }
    const status = isTaken() ? 500 : id === undefined ? 201 : 200
    if (id !== undefined) changes.push(status)
    if (status === 500) return { status, body: { error: words } }
    const made = id === undefined ? next++ : key
    names.set(made, name)
    return { status, body: { id: made, name } }
  }
  return { answer, changes }
}

test.each([
  'UNIQUE constraint failed: users.name',
  'duplicate key value violates unique constraint "users_name_key"',
])('%s', async words => {
  const { answer, changes } = serve(words)
  const { findings } = await verifyAnswering(document, answer, { seed: 1, cases: 700 })
  // No operation sends the values of another one.
  expect(changes[0]).toBe(200)
  expect(findings.map(({ title }) => title)).toContain(`answered 500 to a valid request: «${words}»`)
  // Whatever the cases are about that met it, the error is one of any valid request, and no chance. Which changes meet it depends on what
  // the requests beside them have made by then.
  const ofValid = new Set(
    findings.filter(({ expectation }) => expectation === 'accept').map(({ obligation }) => obligation),
  )
  expect([...ofValid]).toContain('create/request/valid')
  expect(['create/request/valid', 'change/request/valid']).toEqual(expect.arrayContaining([...ofValid]))
  expect(findings.filter(({ title }) => /sometimes|stopped/.test(title))).toEqual([])
})
