/** What was there before the run stays as it is, whatever its names are and wherever a request would name it. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { shown } from '../conformance/judge/answering.ts'
import { startJsonServer } from '../json-server.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const failure = { description: 'no', content: { 'application/json': { schema: { type: 'object' } } } }
const answers = {
  200: shown({}),
  201: shown({}),
  204: { description: 'done' },
  400: failure,
  404: failure,
  500: failure,
}
const body = (...names: readonly string[]) =>
  bodyOf({ type: 'object', required: names, properties: Object.fromEntries(names.map(name => [name, text])) })

const tableOf = (name: string) => {
  const parameters = [{ name: 'row_id', in: 'path', required: true, schema: { type: 'integer' } }]
  return {
    [`/tables/${name}`]: {
      get: { operationId: `list_${name}`, responses: answers },
      post: { operationId: `add_${name}`, requestBody: body('title'), responses: answers },
    },
    [`/tables/${name}/{row_id}`]: {
      parameters,
      get: { operationId: `get_${name}`, responses: answers },
      put: { operationId: `put_${name}`, requestBody: body('title'), responses: answers },
      patch: { operationId: `patch_${name}`, requestBody: body('title'), responses: answers },
      delete: { operationId: `remove_${name}`, responses: answers },
    },
  }
}

test.each([1, 2, 3])('rows of another table that have the number of an own row (seed %i)', async seed => {
  const rows = {
    movies: new Map(Array.from({ length: 30 }, (_, id) => [id, 'old'])),
    people: new Map<number, string>(),
  }
  let next = 1
  const changed: string[] = []
  const target = await startJsonServer(({ method, path, sent, answer }) => {
    const [, kind = '', id, more] = path
    const table = rows[kind as keyof typeof rows]
    if (table === undefined || more !== undefined) return answer(404, {})
    const shownRow = (key: number) => ({ id: key, title: table.get(key) })
    if (id === undefined) {
      if (method === 'GET') return answer(200, [...table.keys()].map(shownRow))
      // Nothing can be added here, and nobody says why.
      if (kind === 'movies' || typeof sent?.title !== 'string') return answer(500, {})
      table.set(next, sent.title)
      return answer(201, [shownRow(next++)])
    }
    const key = Number(id)
    if (!table.has(key)) return answer(404, {})
    if (method === 'GET') return answer(200, shownRow(key))
    if (method !== 'DELETE' && typeof sent?.title !== 'string') return answer(400, {})
    if (kind === 'movies') changed.push(`${method} ${path.join('/')}`)
    if (method === 'DELETE') table.delete(key)
    else table.set(key, String(sent?.title))
    answer(method === 'DELETE' ? 204 : 200, method === 'DELETE' ? undefined : shownRow(key))
  })
  const document = documentWith({ ...tableOf('movies'), ...tableOf('people') })
  const contract = await loadContract({ from: writeDocument('tables.json', document) })
  await verify({ contract, target, seed, cases: 600 })
  expect(changed).toEqual([])
  expect(next).toBeGreaterThan(5)
})

const tasks = documentWith({
  '/tasks': { get: { operationId: 'listTasks', responses: answers } },
  '/forms/data': { post: { operationId: 'submitForm', requestBody: body('taskId'), responses: answers } },
  '/forms/preview': { post: { operationId: 'previewForm', requestBody: body('taskId'), responses: answers } },
})

const startTasks = async () => {
  const open = new Set(['task-000017', 'task-000018'])
  let previews = 0
  const target = await startJsonServer(({ path, sent, answer }) => {
    if (path[0] === 'tasks')
      return answer(
        200,
        [...open].map(id => ({ id })),
      )
    const id = typeof sent?.taskId === 'string' ? sent.taskId : ''
    if (!open.has(id)) return answer(400, { message: 'there is no such task' })
    if (path[1] === 'preview') previews += 1
    else open.delete(id)
    answer(200, {})
  })
  return { open, target, previews: () => previews }
}

test('what a list shows is not submitted unless somebody wants it, but previewed', async () => {
  const contract = await loadContract({ from: writeDocument('tasks.json', tasks) })
  const kept = await startTasks()
  const limits = { seed: 1, cases: 300, sustained: 0 }
  const { notes } = await verify({ contract, target: kept.target, ...limits })
  expect([...kept.open]).toEqual(['task-000017', 'task-000018'])
  expect(kept.previews()).toBeGreaterThan(0)
  expect(notes.map(({ message }) => message)).toContain(
    "submitForm may change what the run did not create (taskId): --include 'POST /forms/data' sends it",
  )
  const wanted = await startTasks()
  await verify({ contract, target: wanted.target, ...limits, include: ['submitForm'] })
  expect(wanted.open.size).toBeLessThan(2)
})

test('what the run itself created is finished, also if its name is a short number', async () => {
  const text = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, title: { type: 'string' } },
  }
  const jobId = {
    type: 'object',
    required: ['jobId'],
    properties: { jobId: { type: 'integer', minimum: 1 } },
  }
  const document = documentWith({
    '/jobs': {
      get: { operationId: 'listJobs', responses: { ...answers, 200: shown({ type: 'array', items: text }) } },
      post: {
        operationId: 'addJob',
        requestBody: body('title'),
        responses: { ...answers, 201: shown(text) },
      },
    },
    '/jobs/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getJob', responses: { ...answers, 200: shown(text) } },
      delete: { operationId: 'removeJob', responses: answers },
    },
    '/cancellations': { post: { operationId: 'cancelJob', requestBody: bodyOf(jobId), responses: answers } },
  })
  const jobs = new Map([[1, 'old']])
  const cancelled: number[] = []
  let next = 2
  const target = await startJsonServer(({ method, path: [kind, name, more], sent, answer }) => {
    const found = (key: number) => ({ id: key, title: jobs.get(key) })
    if (more !== undefined) return answer(404, {})
    if (kind === 'cancellations') {
      const id = sent?.jobId
      if (typeof id !== 'number' || !jobs.has(id)) return answer(400, { message: 'there is no such job' })
      cancelled.push(id)
      return answer(200, {})
    }
    if (name === undefined) {
      if (method === 'GET') return answer(200, [...jobs.keys()].map(found))
      if (typeof sent?.title !== 'string') return answer(400, {})
      jobs.set(next, sent.title)
      return answer(201, found(next++))
    }
    const key = Number(name)
    if (!jobs.has(key)) return answer(404, {})
    if (method !== 'DELETE') return answer(200, found(key))
    jobs.delete(key)
    answer(204)
  })
  const contract = await loadContract({ from: writeDocument('jobs.json', document) })
  await verify({ contract, target, seed: 1, cases: 400, sustained: 0 })
  expect(cancelled.length).toBeGreaterThan(3)
  expect(cancelled).not.toContain(1)
})
