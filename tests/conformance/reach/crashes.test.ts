/** A server that names the values that it takes, and fails on one of them: only the search for a valid request sends these. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { startJsonServer } from '../../json-server.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const schema = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
const document = documentWith({
  '/jobs': {
    post: {
      operationId: 'createJob',
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 201: { description: 'created' }, 400: { description: 'rejected' } },
    },
  },
})

/** `kinds`: the statuses that these kinds of jobs get. */
const startJobs = (kinds: Readonly<Record<string, number>>): Promise<string> =>
  startJsonServer(({ sent, answer }) => {
    const status = typeof sent?.kind === 'string' ? (kinds[sent.kind] ?? 400) : 400
    const message = status === 400 ? `"kind" must be one of: ${Object.keys(kinds).join(', ')}` : 'out of luck'
    answer(status, { message })
  })

const titles = async (target: string): Promise<readonly string[]> => {
  const contract = await loadContract({ from: writeDocument('jobs.json', document) })
  const { findings } = await verify({ target, contract, seed: 3, cases: 60, sustained: 0 })
  return findings.map(({ title, repeat }) => `${title} (${repeat})`)
}

test('a crash on the way to a valid request is told, although another one is accepted', async () => {
  expect(await titles(await startJobs({ batch: 500, stream: 201 }))).toContainEqual(
    expect.stringMatching(/^answered 500 to .* \(steady\)$/),
  )
})

test('and so is one of an operation that accepts none', async () => {
  expect(await titles(await startJobs({ batch: 500, stream: 403 }))).toContainEqual(
    expect.stringMatching(/^answered 500 to .* \(steady\)$/),
  )
})
