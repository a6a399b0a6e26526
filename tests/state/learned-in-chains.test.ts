/** What a server asks for only in words is also in the requests that show what it keeps. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const said = (schema: object) => ({ description: 'it', content: { 'application/json': { schema } } })
const no = said({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } })
const text = { type: 'string' }
const note = { type: 'object', required: ['title', 'version'], properties: { title: text, version: text } }
const stored = { ...note, required: ['id', ...note.required], properties: { id: text, ...note.properties } }
const rejected = { 400: no, 404: no, 415: no }

const document = documentWith({
  '/notes': {
    post: { operationId: 'write', requestBody: bodyOf(note), responses: { 201: said(stored), ...rejected } },
  },
  '/notes/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { operationId: 'read', responses: { 200: said(stored), ...rejected } },
    put: { operationId: 'replace', requestBody: bodyOf(note), responses: { 200: said(stored), ...rejected } },
    delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, ...rejected } },
  },
})

/** `keeps`: whether a note that is replaced is another one afterwards. */
const startNotes = async (keeps: boolean) => {
  const notes = new Map<string, object>()
  let count = 0
  return startJsonServer(({ method, path: [all, id = ''], sent, answer }) => {
    const fail = (status: number, error: string): void => answer(status, { error })
    const found = notes.get(id)
    if (all !== 'notes' || (id !== '' && found === undefined)) return fail(404, 'no such note')
    if (method === 'GET' && found !== undefined) return answer(200, found)
    if (method === 'DELETE' && found !== undefined) {
      notes.delete(id)
      return answer(204)
    }
    if (method !== (found === undefined ? 'POST' : 'PUT')) return fail(405, 'not here')
    const { title, version } = sent ?? {}
    if (typeof title !== 'string' || typeof version !== 'string') return fail(400, 'no note')
    if (version !== '1.0' && version !== '1.1')
      return fail(400, 'invalid version: value must be in list [1.0 1.1]')
    const next = { id: found === undefined ? `n${++count}` : id, title, version }
    if (found === undefined || keeps) notes.set(next.id, next)
    return answer(found === undefined ? 201 : 200, next)
  })
}

const verdictsOf = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const contract = await loadContract({ from: writeDocument('notes.json', document) })
  const { entries } = await verify({ contract, target: url, seed: 1, cases: 400, sustained: 0 })
  return Object.fromEntries(
    entries.flatMap(({ obligation: { id, family }, verdict }) =>
      family === 'state' ? [[id, verdict.kind]] : [],
    ),
  )
}

test.each([
  [true, 'passed'],
  [false, 'failed'],
])('a replaced note is read back (kept: %s)', async (keeps, expected) => {
  const verdicts = await verdictsOf(await startNotes(keeps))
  expect(verdicts['replace/state/stored']).toBe(expected)
  expect(Object.entries(verdicts).filter(([, kind]) => kind === 'untested')).toEqual([])
})
