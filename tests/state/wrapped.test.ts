/** A service that takes and gives each note in `data`, beside what is about it. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string', minLength: 1, maxLength: 200 }
const bodyOf = (required: readonly string[]) => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['data'],
        properties: {
          data: { type: 'object', required, properties: { title: text, text: text } },
          permissions: { type: 'object', properties: { read: { type: 'array', items: { type: 'string' } } } },
        },
      },
    },
  },
})
const note = { description: 'the note', content: { 'application/json': {} } }
const no = { description: 'no' }
const document = documentWith({
  '/notes': {
    post: {
      operationId: 'makeNote',
      requestBody: bodyOf(['title']),
      responses: { 201: note, 400: no, 415: no },
    },
  },
  '/notes/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
    get: { operationId: 'getNote', responses: { 200: note, 400: no, 404: no } },
    patch: {
      operationId: 'changeNote',
      requestBody: bodyOf([]),
      responses: { 200: note, 400: no, 404: no, 415: no },
    },
  },
})

type Note = { title?: unknown; text?: unknown; id?: number }

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= 200

const readNote = (body: string, isNew: boolean): Note | null => {
  let sent: unknown
  try {
    sent = JSON.parse(body)
  } catch {
    return null
  }
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(sent)) return null
  const { data, permissions } = sent as { data?: unknown; permissions?: unknown }
  if (!isObject(data) || (permissions !== undefined && !isObject(permissions))) return null
  const { read = [] } = (permissions ?? {}) as { read?: unknown }
  if (!Array.isArray(read) || !read.every(each => typeof each === 'string')) return null
  const { title, text: words } = data as Note
  const isRight = [title, words].every(value => value === undefined || isText(value))
  return isRight && (!isNew || title !== undefined) ? (data as Note) : null
}

const startNotes = async (loses: 'nothing' | 'texts'): Promise<string> => {
  const notes = new Map<number, Note>()
  let made = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const [, top, id, more] = (url.split('?')[0] ?? '').split('/')
      const answer = (status: number, data?: Note): void => {
        response.writeHead(status, data === undefined ? {} : { 'Content-Type': 'application/json' })
        response.end(
          data === undefined ? undefined : JSON.stringify({ permissions: { write: ['me'] }, data }),
        )
      }
      if (top !== 'notes' || more !== undefined) return answer(404)
      const isList = id === undefined
      if (!(isList ? ['POST'] : ['GET', 'PATCH']).includes(method)) return answer(405)
      if (!isList && !/^[1-9]\d*$/.test(id)) return answer(400)
      const found = isList ? {} : notes.get(Number(id))
      if (method === 'GET') return found === undefined ? answer(404) : answer(200, found)
      if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return answer(415)
      let body: string
      try {
        body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
      } catch {
        return answer(400)
      }
      const sent = readNote(body, isList)
      if (sent === null) return answer(400)
      if (found === undefined) return answer(404)
      const stored: Note = { ...found, ...sent, ...(isList ? { id: ++made } : {}) }
      if (loses === 'texts') delete stored.text
      notes.set(Number(stored.id), stored)
      return answer(isList ? 201 : 200, stored)
    })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

const verified = async (loses: 'nothing' | 'texts') => {
  const contract = await loadContract({ from: writeDocument('notes.json', document) })
  return verify({ contract, target: await startNotes(loses), seed: 1, cases: 900, sustained: 0 })
}

test('what is sent and given in `data` is compared there', async () => {
  const { findings, entries } = await verified('nothing')
  expect(findings.filter(({ obligation }) => /\/state\//.test(obligation))).toEqual([])
  const passed = entries.flatMap(({ obligation: { id }, verdict }) => (verdict.kind === 'passed' ? [id] : []))
  expect(passed).toEqual(
    expect.arrayContaining(['makeNote/state/stored', 'changeNote/state/stored', 'changeNote/state/kept']),
  )
})

test('what gets lost in `data` is found', async () => {
  const { findings } = await verified('texts')
  expect(findings.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/getNote returned no `text`, although it was stored/),
  )
})
