/** What seems to be created but cannot be asked for by any name is not created again and again. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { shown } from '../conformance/judge/answering.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const job = { type: 'object', properties: { job_id: { type: 'string' }, name: { type: 'string' } } }
const parameters = [{ name: 'job_id', in: 'path', required: true, schema: { type: 'string' } }]
const failures = { 400: shown({}), 404: shown({}) }
const ofJob = (operationId: string) => ({
  operationId,
  parameters,
  responses: { 200: shown(job), ...failures },
})
const document = documentWith({
  '/tools/run-job': {
    post: {
      operationId: 'createJob',
      requestBody: { required: true, content: { 'application/json': { schema: job } } },
      responses: { 201: shown(job), ...failures },
    },
  },
  '/jobs/{job_id}': { get: ofJob('getJob'), patch: ofJob('startJob'), delete: ofJob('removeJob') },
  '/jobs/{job_id}/log': { get: ofJob('getLog'), post: ofJob('addLog'), delete: ofJob('removeLog') },
})

test.each([
  ['a name that names nothing', { job_id: 'null' }, 404],
  ['a name that is none', { job_id: 'null' }, 400],
  ['no name', {}, 404],
])('%s', async (_, created, status) => {
  let creations = 0
  const url = await startJsonServer(({ method, path, sent, answer }) => {
    if (method !== 'POST' || path.join() !== 'tools,run-job') return answer(status, {})
    if (sent === null) return answer(400, {})
    creations += 1
    answer(201, created)
  })
  const contract = await loadContract({ from: writeDocument('jobs.json', document) })
  const only = ['getJob/*', 'startJob/*', 'removeJob/*', 'getLog/*', 'addLog/*', 'removeLog/*']
  await verify({ contract, target: url, seed: 1, sustained: 0, only, include: ['POST /tools/run-job'] })
  expect(creations).toBeGreaterThan(0)
  expect(creations).toBeLessThan(100)
})
