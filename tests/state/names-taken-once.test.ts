/** A service that takes a name only once, beside another one whose names it shows first. */
import { expect, test } from 'vitest'
import { objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string' }
const no = { description: 'rejected' }

test('a name of another kind that was accepted once is not sent again and again', async () => {
  const handler = { name: text, event: text, active: { type: 'boolean' } }
  const handlers = new Map<string, object>()
  let conflicts = 0
  const document = {
    paths: {
      '/workflows': {
        get: {
          operationId: 'list',
          responses: { 200: shown({ type: 'array', items: { type: 'object', properties: { name: text } } }) },
        },
      },
      '/handlers': {
        post: {
          operationId: 'add',
          requestBody: bodyOf({ type: 'object', properties: handler }),
          responses: { 201: no, 400: no },
        },
      },
      '/handlers/{name}': {
        parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
        delete: { operationId: 'remove', responses: { 204: no, 404: no } },
      },
    },
  }
  const { entries } = await verifyAnswering(document, ({ method, url, body }) => {
    const [, kind, named] = url.pathname.split('/').map(decodeURIComponent)
    if (kind === 'workflows') return { status: method === 'GET' ? 200 : 405, body: [{ name: 'nightly-run' }] }
    if (named !== undefined) return { status: method !== 'DELETE' ? 405 : handlers.delete(named) ? 204 : 404 }
    const { name, event } = objectIn(body) ?? {}
    if (method !== 'POST') return { status: 405 }
    if (typeof name !== 'string' || typeof event !== 'string')
      return { status: 400, body: { error: 'a handler has a name and an event' } }
    if (handlers.has(name)) {
      conflicts += 1
      return { status: 400, body: { error: `a handler with the name ${name} already exists` } }
    }
    handlers.set(name, {})
    return { status: 201 }
  })
  const removal = entries.find(({ obligation }) => obligation.id === 'remove/request/valid')
  expect(removal?.verdict.kind).toBe('passed')
  expect(conflicts).toBeLessThan(60)
})

const jobId = { name: 'jobId', in: 'path', required: true, schema: text }
const step = { name: 'step', in: 'path', required: true, schema: { enum: ['first', 'last'] } }

test.each([
  ['/tasks/{jobId}/signal', 'post'],
  ['/tasks/{jobId}/{step}/signal', 'post'],
  ['/jobs/decide/{jobId}', 'put'],
])('%s takes the name of what the run created elsewhere, and of nothing else', async (path, method) => {
  const jobs = new Set(['precious-job'])
  const acted = new Set<string>()
  const parameters = path.includes('{step}') ? [jobId, step] : [jobId]
  const operation = { operationId: 'act', parameters, responses: { 200: shown({}), 404: no } }
  const job = { type: 'object', required: ['jobId'], properties: { jobId: text } }
  const document = {
    paths: {
      '/jobs': {
        post: { operationId: 'start', responses: { 201: shown(job) } },
        get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: {} }) } },
      },
      '/jobs/{jobId}': {
        parameters: [jobId],
        get: { operationId: 'read', responses: { 200: shown({}), 404: no } },
      },
      [path]: { [method]: operation },
    },
  }
  const pattern = new RegExp(`^${path.replace('{jobId}', '([^/]+)').replace('{step}', '[^/]+')}$`)
  await verifyAnswering(document, asked => {
    const at = decodeURIComponent(asked.url.pathname)
    if (at === '/jobs') {
      if (asked.method !== 'POST') return { status: 200, body: [...jobs].map(each => ({ jobId: each })) }
      const made = `job-number-${jobs.size}`
      jobs.add(made)
      return { status: 201, body: { jobId: made } }
    }
    const [, id = ''] = pattern.exec(at) ?? []
    const isAct = jobs.has(id) && asked.method === method.toUpperCase()
    if (isAct) acted.add(id)
    const isRead = asked.method === 'GET' && jobs.has(at.slice('/jobs/'.length))
    return { status: isAct || isRead ? 200 : 404, body: {} }
  })
  expect(acted.size).toBeGreaterThan(0)
  expect(acted).not.toContain('precious-job')
})
