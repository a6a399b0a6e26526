/** A service that keeps what something else uses: what a run makes of it in other cases is no fault. */
import { expect, test } from 'vitest'
import { objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string' }
const flavor = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
const rejected = { description: 'rejected' }
const failures = { 400: rejected, 403: rejected, 404: rejected }
const document = {
  paths: {
    '/flavors': {
      get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: flavor }) } },
      post: {
        operationId: 'create',
        requestBody: bodyOf({ type: 'object', required: ['name'], properties: { name: text } }),
        responses: { 201: shown(flavor), 400: rejected },
      },
    },
    '/flavors/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: { operationId: 'read', responses: { 200: shown(flavor), 404: rejected } },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, ...failures } },
    },
  },
}

/** Every fourth flavor is used, as components of other clients may use it. */
const run = async (reason: string) => {
  const flavors = new Map<string, { readonly id: string; readonly name: string; readonly isUsed: boolean }>()
  let next = 0
  const { findings } = await verifyAnswering(document, ({ method, url, body }) => {
    const [, kind, id, more] = url.pathname.split('/').map(decodeURIComponent)
    if (kind !== 'flavors' || more !== undefined) return { status: 404 }
    const show = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })
    if (id === undefined && method === 'GET') return { status: 200, body: [...flavors.values()].map(show) }
    if (id === undefined) {
      const name = objectIn(body)?.name
      if (method !== 'POST') return { status: 405 }
      if (typeof name !== 'string') return { status: 400 }
      next += 1
      const made = { id: `flavor-${next}`, name, isUsed: next % 4 === 0 }
      flavors.set(made.id, made)
      return { status: 201, body: show(made) }
    }
    const found = flavors.get(id)
    if (method !== 'GET' && method !== 'DELETE') return { status: 405 }
    if (found === undefined) return { status: 404 }
    if (method === 'GET') return { status: 200, body: show(found) }
    if (found.isUsed) return { status: 403, body: { detail: `Flavor ${found.name} ${reason}` } }
    flavors.delete(id)
    return { status: 204 }
  })
  return findings.filter(({ obligation }) => obligation.startsWith('remove/')).map(({ title }) => title)
}

test.each([
  'cannot be deleted as it is used by 1 components',
  'is still in use',
  'is not empty',
  'is still running',
])('%s', async reason => {
  expect(await run(reason)).toEqual([])
})

test('another reason is none', async () => {
  expect((await run('must not be removed today')).join()).toContain('403')
})

test.each([
  ['Data Download is already running.', true],
  ['Another download is in progress', true],
  ['no more downloads today', false],
])('what another request has started goes on: %s', async (detail, isUnderWay) => {
  let started = 0
  const paths = {
    '/downloads': {
      post: {
        operationId: 'start',
        requestBody: bodyOf({ type: 'object', properties: { erase: { type: 'boolean' } } }),
        responses: { 200: shown({}), 400: rejected },
      },
    },
  }
  const { findings } = await verifyAnswering({ paths }, ({ body }) => {
    const sent = objectIn(body)
    if (sent === null || (sent.erase !== undefined && typeof sent.erase !== 'boolean')) return { status: 400 }
    started += 1
    // The first one takes longer than the run.
    return started > 20 ? { status: 400, body: { detail } } : { status: 200, body: {} }
  })
  expect(findings.some(({ title }) => /stopped accepting|sometimes/.test(title))).toBe(!isUnderWay)
})
