/** A mail server that checks the HTML of a message, and sends only what has a sender: both are optional in a message. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { objectIn } from '../conformance/judge/answering.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const said = (schema: object) => ({ description: 'it', content: { 'application/json': { schema } } })
const no = said({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } })
const text = { type: 'string' }
const fields = { subject: text, html: text, sender: text }
const message = { type: 'object', required: ['id'], properties: { id: text, ...fields } }
const report = said({ type: 'object', required: ['letters'], properties: { letters: { type: 'integer' } } })
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }]
const draft = { type: 'object', required: ['subject'], properties: fields }
/** Everything at once is rejected, as copies are switched off, but not the example. */
const withExample = {
  ...draft,
  properties: { ...fields, copy: text },
  example: { subject: 'Hello', html: '<p>Hello</p>', sender: 'Fern' },
}
const documentOf = (schema: object) =>
  documentWith({
    '/messages': {
      post: {
        operationId: 'write',
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 201: said(message), 400: no },
      },
    },
    '/messages/{id}': {
      parameters,
      get: { operationId: 'read', responses: { 200: said(message), 400: no, 404: no } },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, 400: no, 404: no } },
    },
    '/messages/{id}/html-check': {
      parameters,
      get: { operationId: 'check', responses: { 200: report, 400: no, 404: no } },
    },
    '/messages/{id}/send': {
      parameters,
      post: { operationId: 'send', responses: { 200: said(message), 400: no, 404: no } },
    },
  })

type Message = { readonly [name: string]: unknown }

const draftIn = (body: string): Message | null => {
  const value = objectIn(body)
  const isDraft =
    value !== null &&
    'subject' in value &&
    Object.keys(fields).every(name => ['string', 'undefined'].includes(typeof value[name]))
  return isDraft ? value : null
}

test.each([
  ['all that is optional', draft],
  ['the example of the document', withExample],
])('an operation that rejects a plain resource is asked for one with %s', async (_name, schema) => {
  const messages = new Map<string, Message>()
  const done: string[] = []
  let count = 0
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const answer = (status: number, value?: unknown): void => {
      done.push(`${status} ${request.method} ${request.url?.replace(/m\d+/, '{id}')}`)
      response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const [, kind, id, action, more] = (request.url ?? '').split('/')
    if (kind !== 'messages' || more !== undefined) return answer(404, { error: 'no such path' })
    if (id === undefined) {
      if (request.method !== 'POST') return answer(405, { error: 'POST, please' })
      const draft = draftIn(body)
      if (draft === null || 'copy' in draft) return answer(400, { error: 'no draft' })
      const made = { ...draft, id: `m${count++}` }
      messages.set(made.id, made)
      return answer(201, made)
    }
    const found = messages.get(id)
    if (found === undefined) return answer(404, { error: 'no such message' })
    if (request.method === 'DELETE') {
      messages.delete(id)
      return answer(204)
    }
    if (action === undefined) return answer(200, found)
    if (action === 'send')
      return 'sender' in found ? answer(200, found) : answer(400, { error: 'nobody sends it' })
    return 'html' in found
      ? answer(200, { letters: String(found.html).length })
      : answer(400, { error: 'message does not contain HTML' })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('mail.json', documentOf(schema)) })
  const { entries } = await verify({ contract, target: url, seed: 1, cases: 300, sustained: 0 })
  const verdictOf = (id: string) => entries.find(({ obligation }) => obligation.id === id)?.verdict.kind
  expect(verdictOf('check/request/valid')).toBe('passed')
  expect(verdictOf('send/request/valid')).toBe('passed')
  for (const end of ['GET /messages/{id}/html-check', 'POST /messages/{id}/send'])
    expect(done.filter(each => each === `200 ${end}`).length, end).toBeGreaterThan(3)
  expect([...messages.keys()]).toEqual([])
})
