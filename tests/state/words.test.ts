/** Lawful services that say in words alone what a status could say: that nothing has a name, that a name is taken, that nothing runs. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
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

const start = (): Promise<string> => {
  const tags = new Set<string>()
  let isRecording = false
  return startJsonServer(({ method, path: [kind, name, more], sent, answer }) => {
    const reject = (error: string): void => answer(400, { error })
    const textAt = (key: string): string | null => {
      const value = sent?.[key]
      return typeof value === 'string' && value !== '' ? value : null
    }
    const line = `${method} /${kind}`
    if (more !== undefined) return answer(404, {})
    if (line === 'POST /recording' && name === 'start') {
      isRecording = true
      return answer(200)
    }
    if (line === 'POST /recording' && name === 'stop') {
      if (!isRecording) return reject('not currently recording')
      isRecording = false
      return answer(200)
    }
    if (line === 'DELETE /labels') return reject(`label not found: ${name}`)
    if (kind !== 'tags') return answer(404, {})
    if (name === undefined) {
      if (method !== 'POST') return answer(405, {})
      const given = textAt('name')
      if (given === null) return reject('a name is missing')
      if (tags.has(given)) return reject(`tag already exists: ${given}`)
      tags.add(given)
      return answer(201, { name: given })
    }
    if (!['GET', 'PUT', 'DELETE'].includes(method)) return answer(405, {})
    if (!tags.has(name)) return reject(`tag not found: ${name}`)
    if (method === 'GET') return answer(200, { name })
    if (method === 'DELETE') {
      tags.delete(name)
      return answer(200)
    }
    const next = textAt('new_name')
    if (next === null) return reject('a name is missing')
    if (next !== name && tags.has(next)) return reject(`tag already exists: ${next}`)
    tags.delete(name)
    tags.add(next)
    answer(200)
  })
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

test('a rule that the document does not have is told, whatever else changes what is stored', {
  timeout: 60_000,
}, async () => {
  const q = { name: 'q', in: 'query', schema: { type: 'string', minLength: 1 } }
  const contract = await loadContract({
    from: writeDocument(
      'search.json',
      documentWith({
        '/search': { get: { operationId: 'search', parameters: [q], responses: done } },
        '/recording/start': { post: { operationId: 'startRecording', responses: done } },
      }),
    ),
  })
  const target = await startJsonServer(({ method, path, query, answer }) => {
    if (path.join('/') === 'recording/start') return method === 'POST' ? answer(200) : answer(405, {})
    if (path.join('/') !== 'search') return answer(404, {})
    if (method !== 'GET') return answer(405, {})
    query.get('q') ? answer(200) : answer(400, { error: 'the parameter q is required' })
  })
  const { findings } = await verify({
    ...{ contract, target, seed: 1, sustained: 0, cases: 200, include: ['*'] },
  })
  expect(findings.map(({ title }) => title).join()).toMatch(/requires .*`q`/)
})
