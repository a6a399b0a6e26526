/** A service whose applications may have an image: no operation reads it, and to remove what is not there is a 400. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string', minLength: 1 }
const sent = { type: 'object', required: ['name'], properties: { name: text } }
const app = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, name: text } }
const rejected = { description: 'rejected' }
const failures = { 400: rejected, 404: rejected }
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
const document = {
  paths: {
    '/apps': {
      post: { operationId: 'create', requestBody: bodyOf(sent), responses: { 201: shown(app), ...failures } },
    },
    '/apps/{id}': {
      parameters,
      get: { operationId: 'read', responses: { 200: shown(app), ...failures } },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, ...failures } },
    },
    '/apps/{id}/image': {
      parameters,
      post: {
        operationId: 'addImage',
        requestBody: bodyOf({ type: 'object', properties: { size: { type: 'integer' } } }),
        responses: { 200: shown(app), ...failures },
      },
      delete: { operationId: 'removeImage', responses: { 200: shown(app), ...failures } },
    },
  },
}

const serve = () => {
  const apps = new Map<number, { name: string; hasImage: boolean }>()
  let next = 1
  const done = { removed: 0, missed: 0 }
  const answer = ({ method, url, body }: Asked): Answer => {
    const [, , id, part] = url.pathname.split('/')
    if (id === undefined) {
      if (method !== 'POST') return { status: 405 }
      const { name } = objectIn(body) ?? {}
      if (typeof name !== 'string' || name === '') return { status: 400, body: { error: 'name' } }
      apps.set(next, { name, hasImage: false })
      return { status: 201, body: { id: next++, name } }
    }
    const found = apps.get(Number(id))
    if (found === undefined) return { status: 404, body: { error: 'not found' } }
    const seen = { id: Number(id), name: found.name }
    if (part === undefined && method === 'GET') return { status: 200, body: seen }
    if (part === undefined && method === 'DELETE') {
      apps.delete(Number(id))
      return { status: 204 }
    }
    if (part === 'image' && method === 'POST') {
      if (objectIn(body) === null) return { status: 400, body: { error: 'body' } }
      found.hasImage = true
      return { status: 200, body: seen }
    }
    if (part !== 'image' || method !== 'DELETE') return { status: 405 }
    done[found.hasImage ? 'removed' : 'missed'] += 1
    if (!found.hasImage) return { status: 400, body: { error: `app with id ${id} does not have an image` } }
    found.hasImage = false
    return { status: 200, body: seen }
  }
  return { answer, done }
}

test.each([1, 2, 3])('that there is no image to remove is no finding, with seed %i', async seed => {
  const { answer, done } = serve()
  const { findings, entries } = await verifyAnswering(document, answer, { seed, cases: 900 })
  expect(done.missed).toBeGreaterThan(0)
  const ofRemoval = (id: string): boolean => id.startsWith('removeImage/request')
  expect(findings.filter(({ obligation }) => ofRemoval(obligation)).map(({ title }) => title)).toEqual([])
  const failed = entries.filter(
    ({ verdict, obligation }) => verdict.kind === 'failed' && ofRemoval(obligation.id),
  )
  expect(failed.map(({ obligation }) => obligation.id)).toEqual([])
})
