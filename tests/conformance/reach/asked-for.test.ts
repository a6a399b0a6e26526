/** What a server asks for is sent before anything else is tried, and what exists for what is optional. */
import { expect, test } from 'vitest'
import { bodyOf } from '../../spec/contracts.ts'
import { objectIn, shown, verifyAnswering } from '../judge/answering.ts'

const text = { type: 'string' }
const rejected = { description: 'rejected' }

test('what the first rejection asks for comes before whole requests', async () => {
  const sent: string[] = []
  const properties = { project: { type: 'integer' }, title: text, account: text }
  await verifyAnswering(
    {
      paths: {
        '/storages': {
          post: {
            operationId: 'create',
            requestBody: bodyOf({ type: 'object', properties }),
            responses: { 201: { description: 'made' }, 400: rejected },
          },
        },
      },
    },
    ({ method, body }) => {
      const given = objectIn(body)
      if (method !== 'POST') return { status: 405 }
      if (given === null) return { status: 400 }
      sent.push(Object.keys(given).join())
      return given.project === undefined
        ? { status: 400, body: { errors: { project: ['This field is required.'] } } }
        : { status: 201 }
    },
  )
  expect(sent.slice(0, 2)).toEqual(['', 'project'])
})

test('an optional parameter names what exists', async () => {
  let accepted = 0
  await verifyAnswering(
    {
      paths: {
        '/projects': { get: { operationId: 'projects', responses: { 200: shown({ type: 'object' }) } } },
        '/tasks': {
          get: {
            operationId: 'tasks',
            parameters: [
              { name: 'project', in: 'query', schema: { type: 'integer' } },
              { name: 'view', in: 'query', schema: { type: 'integer' } },
            ],
            responses: { 200: shown({ type: 'array' }), 404: rejected },
          },
        },
      },
    },
    ({ method, url }) => {
      if (method !== 'GET') return { status: 405 }
      if (url.pathname === '/projects') return { status: 200, body: { results: [{ id: 4711 }] } }
      if (url.pathname !== '/tasks') return { status: 404 }
      if (url.searchParams.get('project') !== '4711')
        return { status: 404, body: { detail: 'Neither project nor view id specified' } }
      accepted += 1
      return { status: 200, body: [] }
    },
  )
  expect(accepted).toBeGreaterThan(3)
})
