/** A file is created only by what its rejections ask for: nothing has one before that was found, and everything after it. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { objectIn, verifyAnswering } from '../conformance/judge/answering.ts'
import { listen } from '../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const body = {
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    },
  },
}
const operation = (operationId: string, status: number, more: object = {}) => ({
  operationId,
  responses: {
    [status]: { description: 'done' },
    ...Object.fromEntries([400, 404].map(each => [each, { description: 'rejected' }])),
  },
  ...more,
})

test('what could be created only after a valid request was found is asked for from then on', async () => {
  const files = new Set<string>()
  const server = createServer(async (request, response) => {
    const { method = '' } = request
    const [url = ''] = (request.url ?? '').split('?')
    const text = Buffer.concat(await request.toArray()).toString()
    const answer = (status: number, message = ''): void => {
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(status === 204 ? undefined : message)
    }
    if (!/^\/files\/[^/]+$/.test(url)) return answer(404)
    if (method === 'PUT' || method === 'PATCH') {
      let kind: unknown
      try {
        kind = JSON.parse(text).kind
      } catch {}
      if (kind !== 'notebook' && kind !== 'folder')
        return answer(400, 'Invalid kind: must be one of "notebook", "folder"')
      if (method === 'PATCH' && !files.has(url)) return answer(404)
      files.add(url)
      return answer(204)
    }
    if (method === 'POST') return files.has(url) ? answer(400, 'Files cannot be copied here') : answer(404)
    if (method === 'DELETE') return answer(files.delete(url) ? 204 : 404)
    return answer(method !== 'GET' ? 405 : files.has(url) ? 200 : 404)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const document = documentWith({
    '/files/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      get: operation('readFile', 200),
      post: operation('copyFile', 201),
      delete: operation('removeFile', 204),
      patch: operation('changeFile', 204, { requestBody: body }),
      put: operation('putFile', 204, { requestBody: body }),
    },
  })
  const contract = await loadContract({ from: writeDocument('files.json', document) })
  const { entries } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 400 })
  const passed = entries
    .filter(({ verdict }) => verdict.kind === 'passed')
    .map(({ obligation }) => obligation.id)
  for (const id of ['readFile', 'removeFile', 'changeFile'])
    expect(passed).toContain(`${id}/request/header/browser`)
  // That nothing existed before is no reason any more.
  const reasons = entries.flatMap(({ obligation, verdict }) =>
    obligation.operation === 'copyFile' && 'reason' in verdict ? [verdict.reason] : [],
  )
  expect(reasons.join()).toContain('Files cannot be copied here')
  expect(reasons.join()).not.toContain('accepted no request')
  expect([...files]).toEqual([])
})

test('what is there only once something was created is not called unsteady', async () => {
  const text = { type: 'string' }
  const project = { type: 'object', required: ['name'], properties: { name: text } }
  let current: string | null = null
  const ledger = await verifyAnswering(
    {
      paths: {
        '/current': { get: operation('readCurrent', 200) },
        '/projects': { post: operation('create', 201, { requestBody: bodyOf(project) }) },
      },
    },
    ({ method, url, body: sent }) => {
      const isProject = url.pathname === '/projects'
      if (!isProject && url.pathname !== '/current') return { status: 404 }
      if (method !== (isProject ? 'POST' : 'GET')) return { status: 405 }
      if (!isProject) return { status: current === null ? 404 : 200 }
      const name = objectIn(sent)?.name
      if (typeof name !== 'string') return { status: 400 }
      current = name
      return { status: 201 }
    },
  )
  const told = ledger.findings.filter(({ obligation }) => obligation.startsWith('readCurrent/'))
  expect(told.map(({ title, repeat }) => [title, repeat])).not.toContainEqual([expect.anything(), 'flaky'])
})
