/** Resources whose names stand in links alone. */
import { expect, test } from 'vitest'
import { createLinkedNames } from '../../../conformance/pool/linked-names.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { type Answer, type Asked, shown, usualAnswers, verifyAnswering } from '../judge/answering.ts'

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const scan = {
  type: 'object',
  required: ['ID'],
  properties: { ID: { type: 'string' }, Path: { type: 'string' } },
}
const paths = {
  '/tools/import-scan': { post: { operationId: 'import', responses: { ...usualAnswers, 200: shown(scan) } } },
  '/instances/{id}': { parameters: [id], get: { operationId: 'read', responses: usualAnswers } },
  '/instances/{id}/tags/{tag}': {
    parameters: [id, { ...id, name: 'tag' }],
    get: { operationId: 'tag', responses: usualAnswers },
  },
}

test('names are read from paths and URLs, below any base path', async () => {
  const { operations } = await loadContract({ from: writeDocument('links.json', documentWith(paths)) })
  const namesIn = createLinkedNames(operations)
  const instance = { value: '96cf', name: 'id', holder: 'instance' }
  expect(namesIn('/instances/96cf')).toEqual([instance])
  expect(namesIn('https://plants.test/api/v1/instances/96cf/?a=b')).toEqual([instance])
  expect(namesIn('/instances/96cf/tags/a%20b')).toEqual([
    instance,
    { value: 'a b', name: 'tag', holder: 'tag' },
  ])
  for (const other of ['/instances', 'instances/96cf', '/series/96cf', 'see /instances/96cf', 7, null])
    expect(namesIn(other)).toEqual([])
})

test('what a response links to is asked for', async () => {
  const made = new Set<string>()
  const answer = ({ method, url }: Asked): Answer => {
    const [, kind, name] = url.pathname.split('/')
    if (kind === 'instances')
      return made.has(name ?? '') ? { status: 200, body: {} } : { status: 404, body: {} }
    if (method !== 'POST') return { status: 405 }
    const ID = crypto.randomUUID()
    made.add(ID)
    return { status: 200, body: { ID, Path: `/instances/${ID}` } }
  }
  const { entries } = await verifyAnswering({ paths }, answer, { cases: 200 })
  const read = entries.filter(({ obligation }) => obligation.id.startsWith('read/response/200/'))
  expect(read.some(({ verdict }) => verdict.kind === 'passed')).toBe(true)
})
