/** Servers that have a route for numbers only, although the document says that the name in the path is any text. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, shown, verifyAnswering } from '../judge/answering.ts'

const project = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const failed = { description: 'no' }
const id = { name: 'project_id', in: 'path', required: true, schema: { type: 'string' } }
const responses = { 200: shown(project), 401: failed, 404: failed }
const document = {
  rest: {
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
  },
  paths: {
    '/projects': {
      get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: project }), 401: failed } },
    },
    '/projects/{project_id}': {
      parameters: [id],
      get: { operationId: 'read', responses },
      patch: { operationId: 'change', responses },
    },
    '/projects/{project_id}/role': { parameters: [id], get: { operationId: 'role', responses } },
  },
}

/** A web app has its page, and its framework a page of its own for requests that are no GET, wherever nothing has a route. */
const page = (method: string | undefined): Answer => ({
  status: method === 'GET' ? 200 : 403,
  headers: { 'Content-Type': 'text/html' },
  body: '<!doctype html><html></html>',
})

test('they are asked by a number, and the page of the web app is no answer of the operation', async () => {
  const asked: Asked[] = []
  const { findings, entries } = await verifyAnswering(
    document,
    request => {
      asked.push(request)
      const { method, url, headers } = request
      const isRouted = /^\/projects(?:\/\d+(?:\/role)?)?$/.test(url.pathname)
      if (!isRouted) return page(method)
      if (headers['x-key'] !== 'right') return { status: 401 }
      return url.pathname === '/projects' && method === 'GET' ? { status: 200, body: [] } : { status: 404 }
    },
    { token: 'right' },
  )
  expect(findings.map(({ title }) => title).filter(title => title.includes('HTML page'))).toEqual([])
  const withNumber = asked.filter(({ url }) => /^\/projects\/\d+/.test(url.pathname)).length
  expect(withNumber).toBeGreaterThan(asked.filter(({ url }) => /^\/projects\/\D/.test(url.pathname)).length)
  const absent = entries.filter(({ obligation }) => obligation.id.endsWith('/auth/absent'))
  expect(absent.length).toBe(4)
  expect(absent.filter(({ verdict }) => verdict.kind === 'failed')).toEqual([])
})
