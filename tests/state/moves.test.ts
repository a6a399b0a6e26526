/** A store of files that are created by their names, and moved by a PATCH that has another one, as that of Jupyter does. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = (schema: object, description = 'as it is') => ({
  description,
  content: { 'application/json': { schema } },
})
const text = { type: 'string', minLength: 1 }
const file = json({ type: 'object', required: ['name'], properties: { name: text, text } })
const no = json({ type: 'object' }, 'no')
const bodyOf = (properties: object, required: readonly string[]) => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', required, properties } } },
})

const documentOf = (status: 200 | 204): string =>
  documentWith({
    '/files': { get: { operationId: 'listFiles', responses: { 200: json({ type: 'array' }) } } },
    '/files/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
      get: { operationId: 'readFile', responses: { 200: file, 404: no } },
      put: {
        operationId: 'writeFile',
        requestBody: bodyOf({ text }, ['text']),
        responses: { 200: file, 201: file, 400: no, 409: no },
      },
      patch: {
        operationId: 'moveFile',
        requestBody: bodyOf({ name: text }, ['name']),
        responses: {
          [status]: status === 200 ? file : { description: 'moved' },
          ...{ 400: no, 404: no, 409: no },
        },
      },
      delete: { operationId: 'removeFile', responses: { 204: { description: 'gone' }, 404: no } },
    },
  })

test.each([
  [200, 1],
  [204, 2],
] as const)(
  'a file that has moved is no fault where it was (PATCH answers %i)',
  { timeout: 60_000 },
  async (status, seed) => {
    const files = new Map([['theirs', 'a']])
    const url = await startJsonServer(({ method, path: [kind, name, more], sent, answer }) => {
      if (kind !== 'files' || more !== undefined || name === '') return answer(404, {})
      if (name === undefined) return method === 'GET' ? answer(200, [...files.keys()]) : answer(405, {})
      if (!['GET', 'PUT', 'PATCH', 'DELETE'].includes(method)) return answer(405, {})
      const known = files.get(name)
      if (method !== 'PUT' && known === undefined) return answer(404, {})
      if (method === 'GET') return answer(200, { name, text: known })
      if (method === 'DELETE') {
        files.delete(name)
        return answer(204)
      }
      const value = sent?.[method === 'PUT' ? 'text' : 'name']
      if (typeof value !== 'string' || value === '') return answer(400, {})
      if (method === 'PUT') {
        files.set(name, value)
        return answer(known === undefined ? 201 : 200, { name, text: value })
      }
      if (value !== name && files.has(value)) return answer(409, {})
      files.delete(name)
      files.set(value, known as string)
      status === 200 ? answer(200, { name: value, text: known }) : answer(204)
    })
    const contract = await loadContract({ from: writeDocument('files.json', documentOf(status)) })
    const { entries, findings } = await verify({
      contract,
      target: url,
      seed,
      sustained: 0,
      cases: 700,
      include: ['*'],
    })
    expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
    const passed = new Set(
      entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
    )
    for (const operation of ['writeFile', 'readFile', 'moveFile', 'removeFile'])
      expect(passed).toContain(`${operation}/request/valid`)
    expect(files.has('theirs')).toBe(true)
  },
)
