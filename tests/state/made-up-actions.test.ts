/** An action that a service has for what it lists: with a name that nothing has, it fails. That is a crash, and not the end of its service. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = (schema: object, description = 'as it is') => ({
  description,
  content: { 'application/json': { schema } },
})
const id = { type: 'string', format: 'uuid' }
const run = { type: 'object', required: ['id'], properties: { id } }
const no = json({ type: 'object' }, 'no')

const document = documentWith({
  '/runs': { get: { operationId: 'listRuns', responses: { 200: json({ type: 'array', items: run }) } } },
  '/runs/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
    get: { operationId: 'getRun', responses: { 200: json(run), 400: no, 404: no } },
  },
  '/runs/{id}/resume': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
    post: { operationId: 'resumeRun', responses: { 200: json(run), 400: no, 404: no } },
  },
})

const known = '7b65ab2b-67bf-4dd0-afd5-068033b9c040'

test('a crash for made-up names is no drift', { timeout: 60_000 }, async () => {
  let resumed = 0
  const url = await startJsonServer(({ method, path: [kind, name, action, more], answer }) => {
    if (kind !== 'runs' || more !== undefined) return answer(404, {})
    if (method !== (action === 'resume' ? 'POST' : 'GET')) return answer(405, {})
    if (name === undefined) return answer(200, resumed < 3 ? [{ id: known }] : [])
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name)) return answer(400, {})
    if (action === undefined) return name === known ? answer(200, { id: known }) : answer(404, {})
    if (action !== 'resume') return answer(404, {})
    if (name === known) resumed += 1
    name === known ? answer(200, { id: known }) : answer(500, { message: 'Internal Server Error' })
  })
  const contract = await loadContract({ from: writeDocument('runs.json', document) })
  const { findings } = await verify({
    ...{ contract, target: url, seed: 1, sustained: 0, cases: 200, include: ['*'] },
  })
  const titles = findings.map(({ obligation, title }) => `${obligation}: ${title}`)
  expect(titles.join('\n')).not.toMatch(/drift/)
  expect(titles.join('\n')).toMatch(/resumeRun.*answered 500/)
})
