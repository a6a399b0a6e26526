import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const shown = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const text = { type: 'string', maxLength: 300 }
const content = { type: 'object', required: ['text'], properties: { text } }
const note = { type: 'object', required: ['id', 'text'], properties: { id: { type: 'string' }, text } }
const body = { required: true, content: { 'application/json': { schema: content } } }
const no = { description: 'no' }
const gone = { description: 'gone' }
const parameters = [{ name: 'noteId', in: 'path', required: true, schema: { type: 'string' } }]

const action = (operationId: string) => ({
  post: { operationId, parameters, responses: { 200: shown(note), 404: no, 409: no } },
})

const contract = await loadContract({
  from: writeDocument(
    'notes.json',
    documentWith({
      '/notes': {
        post: {
          operationId: 'createNote',
          requestBody: body,
          responses: { 201: shown(note), 400: no, 503: no },
        },
        get: { operationId: 'listNotes', responses: { 200: shown({ type: 'array', items: note }) } },
      },
      '/notes/{noteId}': {
        parameters,
        get: { operationId: 'getNote', responses: { 200: shown(note), 404: no } },
        put: {
          operationId: 'replaceNote',
          requestBody: body,
          responses: { 200: shown(note), 400: no, 404: no },
        },
        delete: { operationId: 'deleteNote', responses: { 204: gone, 404: no } },
      },
      '/notes/{noteId}/archive': action('archiveNote'),
      '/notes/{noteId}/touch': action('touchNote'),
    }),
  ),
})

export type Call = {
  readonly method: string
  /** The name in its path; undefined if it is for all of them. */
  readonly id: string | undefined
  readonly verb: string | undefined
  readonly status: number
}

/** How a store of notes differs from the plainest one. */
export type Variant = {
  readonly already?: number
  /** Whether it creates a note; it does by default. `count`: how many came before. */
  readonly creates?: (count: number) => boolean
}

/** Runs the obligations that `only` names against a store of notes. Gives what it was asked, one after the other. */
export const verifyNotes = async (
  only: readonly string[],
  { already = 0, creates = () => true }: Variant = {},
  options: Partial<VerifyOptions> = {},
): Promise<{ readonly ledger: Ledger; readonly calls: readonly Call[] }> => {
  const notes = new Map<string, { text: string; isArchived: boolean }>()
  const old = Array.from({ length: already }, (_, index) => `old${index}`)
  for (const id of old) notes.set(id, { text: id, isArchived: false })
  const calls: Call[] = []
  let asked = 0
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const [, kind, id, verb] = (url.split('?')[0] ?? '').split('/').map(decodeURIComponent)
    const answer = (status: number, value?: unknown): void => {
      calls.push({ method, id, verb, status })
      response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const sent = Buffer.concat(await request.toArray()).toString()
    if (kind !== 'notes') return answer(404)
    if (id === undefined && method === 'GET')
      return answer(
        200,
        [...notes].map(([name, each]) => ({ id: name, text: each.text })),
      )
    const found = id === undefined ? undefined : notes.get(id)
    if (id !== undefined && found === undefined) return answer(404)
    if (verb === 'archive' && found !== undefined) {
      if (found.isArchived) return answer(409)
      found.isArchived = true
      return answer(200, { id, text: found.text })
    }
    if (verb === 'touch') return answer(200, { id, text: found?.text })
    if (method === 'GET') return answer(200, { id, text: found?.text })
    if (method === 'DELETE') {
      notes.delete(id ?? '')
      return answer(204)
    }
    const value = read(sent)
    if (value === null) return answer(400)
    const name = id ?? `n${notes.size}x${asked}`
    if (id === undefined && !creates(asked++)) return answer(503)
    notes.set(name, { text: value, isArchived: false })
    return answer(id === undefined ? 201 : 200, { id: name, text: value })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const ledger = await verify({
    ...{ contract, target: url, seed: 1, sustained: 0, cases: 60, only, include: ['*'] },
    ...options,
  })
  return { ledger, calls }
}

const read = (sent: string): string | null => {
  try {
    const value: unknown = JSON.parse(sent)
    return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
      ? value.text
      : null
  } catch {
    return null
  }
}
