/** A service that makes a branch from another one, which the request names as well. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string' }
const branch = { type: 'object', required: ['name', 'hash'], properties: { name: text, hash: text } }
const rejected = { description: 'rejected' }
const ref = [{ name: 'ref', in: 'path', required: true, schema: text }]
const failures = { 400: rejected, 404: rejected, 409: rejected }
const document = {
  paths: {
    '/branches': {
      get: {
        operationId: 'list',
        responses: {
          200: shown({ type: 'object', properties: { references: { type: 'array', items: branch } } }),
        },
      },
      post: {
        operationId: 'create',
        parameters: [{ name: 'name', in: 'query', required: true, schema: { ...text, minLength: 1 } }],
        requestBody: bodyOf(branch),
        responses: { 200: shown({ type: 'object', properties: { reference: branch } }), ...failures },
      },
    },
    '/branches/{ref}': {
      parameters: ref,
      get: { operationId: 'read', responses: { 200: shown(branch), ...failures } },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, ...failures } },
    },
    '/branches/{ref}/files': {
      parameters: ref,
      get: {
        operationId: 'files',
        parameters: [
          { name: 'full', in: 'query', schema: { type: 'boolean' } },
          { name: 'key', in: 'query', schema: { type: 'array', items: text } },
        ],
        responses: { 200: shown({ type: 'array', items: text }), ...failures },
      },
    },
  },
}

const hash = '2e1cfa82b035c26cbbbdae63'

const serve = () => {
  const branches = new Set(['main'])
  const removed = new Set<string>()
  const accepted = { create: 0, files: 0 }
  const fail = (status: number, message: string): Answer => ({ status, body: { message } })
  const answer = ({ method, url, body }: Asked): Answer => {
    const [, , name, part] = url.pathname.split('/').map(decodeURIComponent)
    if (name === undefined && method === 'GET')
      return { status: 200, body: { references: [...branches].map(each => ({ name: each, hash })) } }
    if (name === undefined) {
      const [source, wanted] = [objectIn(body), url.searchParams.get('name')]
      if (method !== 'POST') return { status: 405 }
      if (
        wanted === null ||
        wanted === '' ||
        typeof source?.name !== 'string' ||
        typeof source.hash !== 'string'
      )
        return fail(400, 'incomplete')
      if (branches.has(wanted)) return fail(409, `Named reference '${wanted}' already exists`)
      if (!branches.has(source.name) || source.hash !== hash)
        return fail(404, `Named reference '${source.name}' not found`)
      accepted.create += 1
      branches.add(wanted)
      return { status: 200, body: { reference: { name: wanted, hash } } }
    }
    if (part === 'files' && url.searchParams.getAll('key').length === 0)
      return fail(400, 'files.keys: size must be between 1 and 2147483647')
    if (/^[0-9a-f]{24}$/.test(name)) return fail(400, 'files.ref: must be a name')
    if (!branches.has(name)) return fail(404, `Named reference '${name}' not found`)
    if (part === 'files') {
      if (method === 'GET') accepted.files += 1
      return method === 'GET' ? { status: 200, body: [] } : { status: 405 }
    }
    if (method === 'GET') return { status: 200, body: { name, hash } }
    if (method !== 'DELETE') return { status: 405 }
    removed.add(name)
    branches.delete(name)
    return { status: 204 }
  }
  return { answer, accepted, removed, branches }
}

test.each([1, 2, 3])(
  'a taken name is replaced, and what another is made from stays, with seed %i',
  async seed => {
    const { answer, accepted, removed, branches } = serve()
    await verifyAnswering(document, answer, { seed })
    expect(accepted.create).toBeGreaterThan(10)
    expect(removed.size).toBeGreaterThan(10)
    expect(removed).not.toContain('main')
    expect([...branches]).toEqual(['main'])
    // An optional parameter without which nothing is accepted, below a branch of the run's.
    expect(accepted.files).toBeGreaterThan(10)
  },
)
