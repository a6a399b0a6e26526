/** A service whose new runs have no tasks, and nothing makes any; older runs have some. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const said = (schema: object) => ({ description: 'it', content: { 'application/json': { schema } } })
const no = { description: 'no' }
const named = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
})
const list = { type: 'array', items: thing }

const document = documentWith({
  '/runs': {
    get: { operationId: 'listRuns', responses: { 200: said(list) } },
    post: { operationId: 'makeRun', responses: { 201: said(thing), 400: no } },
  },
  '/runs/{run_id}': {
    parameters: [named('run_id')],
    get: { operationId: 'getRun', responses: { 200: said(thing), 400: no, 404: no } },
  },
  '/runs/{run_id}/tasks': {
    parameters: [named('run_id')],
    get: { operationId: 'listTasks', responses: { 200: said(list), 400: no, 404: no } },
  },
  '/runs/{run_id}/tasks/{task_id}': {
    parameters: [named('run_id'), named('task_id')],
    get: { operationId: 'getTask', responses: { 200: said(thing), 400: no, 404: no } },
  },
})

test('if nothing is below what was created, what is below others of its kind is asked for', async () => {
  const tasks = new Map<number, readonly number[]>([
    [1, []],
    [2, [7]],
  ])
  const done: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '' } = request
    const answer = (status: number, body?: unknown): void => {
      done.push(`${status} ${method} ${url}`)
      response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const [, kind, run, sub, task, more] = (url.split('?')[0] ?? '').split('/')
    if (kind !== 'runs' || more !== undefined || (sub !== undefined && sub !== 'tasks')) return answer(404)
    if (run === undefined && method === 'POST') {
      tasks.set(tasks.size + 100, [])
      return answer(201, { id: tasks.size + 99 })
    }
    if (method !== 'GET') return answer(405)
    if (run === undefined)
      return answer(
        200,
        [...tasks.keys()].map(id => ({ id })),
      )
    for (const name of [run, task]) if (name !== undefined && !/^[1-9]\d*$/.test(name)) return answer(400)
    const of = tasks.get(Number(run))
    if (of === undefined || (task !== undefined && !of.includes(Number(task)))) return answer(404)
    return sub !== undefined && task === undefined
      ? answer(
          200,
          of.map(id => ({ id })),
        )
      : answer(200, { id: Number(task ?? run) })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('tasks.json', document) })
  const { findings } = await verify({ contract, target: url, seed: 1, cases: 200, sustained: 0 })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
  expect(done.filter(each => /^200 GET \/runs\/2\/tasks\/7$/.test(each)).length).toBeGreaterThan(3)
})
