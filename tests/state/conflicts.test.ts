/** A 409 depends on what is stored: a server that answers it now and then is not inconsistent. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const done = { 204: { description: 'done' } }
const rejected = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map(status => [status, { description: 'rejected' }]))

/** A page that can be marked once, until the mark is taken away. */
const run = async (declared: readonly number[]) => {
  let isMarked = false
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    const isMark = path === '/favorite' && request.method === 'POST'
    const isUnmark = path === '/unfavorite' && request.method === 'POST'
    const status = isMark ? (isMarked ? 409 : 204) : isUnmark ? (isMarked ? 204 : 409) : 404
    if (status === 204) isMarked = isMark
    response.writeHead(status).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({
    from: writeDocument(
      'favorites.json',
      documentWith({
        '/favorite': { post: { operationId: 'mark', responses: { ...done, ...rejected(declared) } } },
        '/unfavorite': { post: { operationId: 'unmark', responses: { ...done, ...rejected(declared) } } },
      }),
    ),
  })
  const { findings } = await verify({ contract, target: url, seed: 1, cases: 300, include: ['*'] })
  return findings
    .filter(({ level }) => level === 'MUST')
    .map(({ title, repeat }) => `${repeat === 'flaky' ? 'flaky: ' : ''}${title}`)
}

test('a declared one is no failure by chance', async () => {
  expect(await run([400, 409])).toEqual([])
})

test('one that is not declared is told as such', async () => {
  const titles = await run([400])
  expect(titles.filter(title => /flaky|sometimes|during the run/.test(title))).toEqual([])
  expect(titles.join()).toContain('409')
})
