/** A service one operation of which waits by design, longer than a run waits for it; all others answer at once. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const it = { description: 'it', content: { 'application/json': { schema } } }
const no = { description: 'no' }
const named = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
})
const answers = { 200: it, 400: no, 404: no }

const document = documentWith({
  '/runs': { post: { operationId: 'makeRun', responses: { 201: it, 400: no } } },
  '/runs/{run}': { parameters: [named('run')], get: { operationId: 'getRun', responses: answers } },
  '/runs/{run}/end': { parameters: [named('run')], get: { operationId: 'waitForRun', responses: answers } },
  '/runs/{run}/tasks': {
    parameters: [named('run')],
    post: { operationId: 'makeTask', responses: { 201: it, 400: no, 404: no } },
  },
  '/runs/{run}/tasks/{task}': {
    parameters: [named('run'), named('task')],
    get: { operationId: 'getTask', responses: answers },
  },
})

const timeoutMs = 8000

const start = async () => {
  const began = performance.now()
  const seen: { readonly at: number; readonly line: string }[] = []
  const made = new Set<string>()
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '' } = request
    const path = url.split('?')[0] ?? ''
    seen.push({ at: performance.now() - began, line: `${method} ${path}` })
    const answer = (status: number, id?: number): void => {
      response.writeHead(status, id === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(id === undefined ? undefined : JSON.stringify({ id }))
    }
    const [, kind, run, sub, task, more] = path.split('/')
    const isKnown =
      kind === 'runs' && (sub === undefined || sub === 'tasks' || (sub === 'end' && task === undefined))
    if (!isKnown || more !== undefined) return answer(404)
    const isPost = task === undefined && (run === undefined || sub === 'tasks')
    if (method !== (isPost ? 'POST' : 'GET')) return answer(405)
    for (const name of [run, task]) if (name !== undefined && !/^[1-9]\d*$/.test(name)) return answer(400)
    if (run !== undefined && !made.has(run)) return answer(404)
    if (sub === 'end') return
    const id = made.size + 1
    if (isPost) made.add(String(id))
    if (isPost) return answer(201, id)
    const last = task ?? run ?? ''
    return made.has(last) ? answer(200, Number(last)) : answer(404)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('waits.json', document) })
  return { target: url, contract, seen }
}

test('while one operation hangs, the others are tried and tested', { timeout: 60_000 }, async () => {
  const { seen, ...server } = await start()
  const watch = { sending: () => () => {}, phase: () => {} }
  await verify({ ...server, seed: 1, maxSeconds: 20, sustained: 0, timeoutMs, watch })
  const firstOf = (line: RegExp): number =>
    seen.find(each => line.test(each.line))?.at ?? Number.POSITIVE_INFINITY
  const hung = firstOf(/\/end$/)
  expect(firstOf(/GET \/runs\/\d+\/tasks\/\d+$/) - hung).toBeLessThan(timeoutMs / 2)
  const times = seen.map(({ at }) => at).filter(at => at >= hung && at < hung + timeoutMs)
  const gaps = times.map((at, index) => at - (times[index - 1] ?? hung))
  expect(Math.max(...gaps)).toBeLessThan(timeoutMs / 2)
})

test('without a limit of time, what hangs is asked once more alone, and the hint is about this operation', {
  timeout: 60_000,
}, async () => {
  const { seen, ...server } = await start()
  const { findings } = await verify({ ...server, seed: 1, cases: 40, sustained: 0, timeoutMs: 3000 })
  expect(findings.map(({ obligation, title, hint }) => [obligation, title, hint])).toEqual([
    [
      'waitForRun/request/valid',
      'did not respond to each valid request in time',
      expect.stringContaining('answers others'),
    ],
  ])
  expect(seen.filter(({ line }) => line.endsWith('/end')).length).toBeGreaterThan(1)
})
