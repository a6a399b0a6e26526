/** What comes again and is answered for another reason shows nothing about what failed: it is not put down to chance. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Json, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

type Request = { readonly method: string; readonly path: string; readonly body: string; readonly key: string }
type Answer = { readonly status: number; readonly body?: Json }

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const answered = (schema: object) => ({ description: 'answered', ...json(schema) })
const anObject = { type: 'object' }

const findingsOf = async (paths: object, answerTo: (request: Request) => Answer) => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method = '', url = '', headers } = request
    const answer = answerTo({ method, path: url.split('?')[0] ?? '', body, key: String(headers['x-key']) })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer.body ?? {}))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } }
  const contract = await loadContract({ from: writeDocument('a.json', documentWith(paths, { components })) })
  const { findings } = await verify({ contract, target: url, token: 'right-key', seed: 1, cases: 200 })
  return findings
}

test('a wrong response before the token was revoked', async () => {
  let left = 60
  const findings = await findingsOf(
    {
      '/notes': {
        get: {
          operationId: 'getNotes',
          security: [{ key: [] }],
          responses: {
            200: answered({ type: 'object', required: ['title'] }),
            401: answered(anObject),
          },
        },
      },
    },
    ({ key }) => (key === 'right-key' && left-- > 0 ? { status: 200 } : { status: 401 }),
  )
  expect(findings.filter(({ repeat }) => repeat === 'flaky').map(({ title }) => title)).toEqual([])
  expect(findings.map(({ title }) => title)).toContain('answered 200 with `title` missing in the body')
})

test('a made-up name that is no number, before anything exists that has a number', async () => {
  let count = 0
  const findings = await findingsOf(
    {
      '/alerts': {
        get: {
          operationId: 'listAlerts',
          responses: { 200: answered({ type: 'array', items: anObject }) },
        },
        post: {
          operationId: 'addAlerts',
          requestBody: { required: true, ...json({ type: 'array', items: anObject }) },
          responses: { 201: answered({ type: 'array' }), 400: answered(anObject) },
        },
      },
      '/alerts/{alertId}': {
        get: {
          operationId: 'getAlert',
          parameters: [{ name: 'alertId', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: answered(anObject), 400: answered(anObject), 404: answered(anObject) },
        },
      },
    },
    ({ method, path, body }) => {
      if (method === 'POST' && path === '/alerts') {
        let sent: unknown
        try {
          sent = JSON.parse(body)
        } catch {}
        if (!Array.isArray(sent) || sent.some(each => typeof each !== 'object' || each === null))
          return { status: 400 }
        count += sent.length
        return { status: 201, body: sent.map((_each, index) => String(count - index)) }
      }
      if (method !== 'GET') return { status: 405 }
      const all = Array.from({ length: count }, (_each, index) => ({ id: index + 1 }))
      if (path === '/alerts') return { status: 200, body: all }
      const name = decodeURIComponent(path.slice('/alerts/'.length))
      if (!/^\d+$/.test(name)) return { status: 400, body: { message: 'alert_id must be valid integer' } }
      return Number(name) > 0 && Number(name) <= count ? { status: 200 } : { status: 404 }
    },
  )
  expect(findings.filter(({ repeat }) => repeat === 'flaky').map(({ title }) => title)).toEqual([])
})
