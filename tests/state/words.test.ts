/** Lawful services that say in words alone what a status could say: that nothing has a name, that a name is taken, that nothing runs. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = (schema: object, description = 'as it is') => ({
  description,
  content: { 'application/json': { schema } },
})
const failure = json({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } }, 'no')
const name = { type: 'string', minLength: 1 }
const bodyOf = (...names: readonly string[]) => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: names,
        properties: Object.fromEntries(names.map(each => [each, name])),
      },
    },
  },
})
const tag = json({ type: 'object', required: ['name'], properties: { name } })
const done = { 200: { description: 'done' }, 400: failure }

const document = documentWith({
  '/tags': {
    post: { operationId: 'addTag', requestBody: bodyOf('name'), responses: { 201: tag, 400: failure } },
  },
  '/tags/{name}': {
    parameters: [{ name: 'name', in: 'path', required: true, schema: name }],
    get: { operationId: 'getTag', responses: { 200: tag, 400: failure } },
    put: { operationId: 'renameTag', requestBody: bodyOf('new_name'), responses: done },
    delete: { operationId: 'removeTag', responses: done },
  },
  '/labels/{label}': {
    parameters: [{ name: 'label', in: 'path', required: true, schema: name }],
    delete: { operationId: 'removeLabel', responses: done },
  },
  '/recording/start': { post: { operationId: 'startRecording', responses: done } },
  '/recording/stop': { post: { operationId: 'stopRecording', responses: done } },
})

const start = async () => {
  const tags = new Set<string>()
  let isRecording = false
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const { method = '', url = '', headers } = request
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const reject = (error: string): void => answer(400, { error })
    const [, kind, part, more] = (url.split('?')[0] ?? '').split('/')
    if (more !== undefined) return answer(404, {})
    const known = decodeURIComponent(part ?? '')
    const sentName = (key: string): string | null => {
      if (headers['content-type']?.split(';')[0]?.toLowerCase() !== 'application/json') return null
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
        const sent = JSON.parse(text) as Record<string, unknown> | null
        const value = typeof sent === 'object' && !Array.isArray(sent) ? sent?.[key] : null
        return typeof value === 'string' && value !== '' ? value : null
      } catch {
        return null
      }
    }
    const line = `${method} /${kind}`
    if (line === 'POST /recording' && part === 'start') {
      isRecording = true
      return answer(200)
    }
    if (line === 'POST /recording' && part === 'stop') {
      if (!isRecording) return reject('not currently recording')
      isRecording = false
      return answer(200)
    }
    if (line === 'DELETE /labels') return reject(`label not found: ${known}`)
    if (kind !== 'tags') return answer(404, {})
    if (part === undefined) {
      if (method !== 'POST') return answer(405, {})
      const given = sentName('name')
      if (given === null) return reject('a name is missing')
      if (tags.has(given)) return reject(`tag already exists: ${given}`)
      tags.add(given)
      return answer(201, { name: given })
    }
    if (!['GET', 'PUT', 'DELETE'].includes(method)) return answer(405, {})
    if (!tags.has(known)) return reject(`tag not found: ${known}`)
    if (method === 'GET') return answer(200, { name: known })
    if (method === 'DELETE') {
      tags.delete(known)
      return answer(200)
    }
    const next = sentName('new_name')
    if (next === null) return reject('a name is missing')
    if (next !== known && tags.has(next)) return reject(`tag already exists: ${next}`)
    tags.delete(known)
    tags.add(next)
    answer(200)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

test.each([1, 2, 3])(
  'nobody is accused of what is said in words (seed %i)',
  { timeout: 120_000 },
  async seed => {
    const contract = await loadContract({ from: writeDocument('tags.json', document) })
    const { entries, findings } = await verify({
      ...{ contract, target: await start(), seed, sustained: 0, cases: 900, include: ['*'] },
    })
    expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
    const passed = new Set(
      entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
    )
    for (const operation of ['addTag', 'getTag', 'renameTag', 'removeTag'])
      expect(passed).toContain(`${operation}/request/valid`)
  },
)
