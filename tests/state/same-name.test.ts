/** A server may give each new resource the same name: then one case removes what another one asks for, and a 404 shows nothing. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const checkpoint = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
const missing = { description: 'none has this name' }
const document = {
  paths: {
    '/checkpoints': {
      post: { operationId: 'create', responses: { 201: shown(checkpoint) } },
    },
    '/checkpoints/{id}': {
      parameters: [id],
      get: { operationId: 'read', responses: { 200: shown(checkpoint), 404: missing } },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' }, 404: missing } },
    },
  },
}

/** Keeps one checkpoint, which has the same name whenever it is made; or as many as are made, if `names` are given. */
const stateContext = (names: (count: number) => string) => {
  const kept = new Set<string>()
  let count = 0
  return ({ method, url }: Asked): Answer => {
    const name = decodeURIComponent(url.pathname.split('/')[2] ?? '')
    if (method === 'POST') {
      const made = names(count++)
      kept.add(made)
      return { status: 201, body: { id: made } }
    }
    if (!kept.has(name)) return { status: 404 }
    if (method === 'DELETE') kept.delete(name)
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { id: name } }
  }
}

test.each([1, 2, 3])('no removal by another case is a fault, with seed %i', async seed => {
  const { findings } = await verifyAnswering(
    document,
    stateContext(() => 'checkpoint'),
    { seed },
  )
  const titles = findings.map(({ title }) => title)
  expect(titles.filter(title => !title.includes('the same identifier'))).toEqual([])
})

test('what has a name of its own has to be there', async () => {
  const answer = stateContext(count => `checkpoint${count}`)
  const { findings } = await verifyAnswering(document, asked =>
    asked.method === 'GET' ? { status: 404 } : answer(asked),
  )
  expect(findings.map(({ title }) => title).join()).toMatch(/404|did not find/)
})

test('what always gets one name, which paths ask for as well, is not made again and again', async () => {
  const posts = async (name: string): Promise<number> => {
    const answer = stateContext(() => name)
    let count = 0
    await verifyAnswering(document, asked => {
      if (asked.method === 'POST' && asked.url.pathname === '/checkpoints') count += 1
      return answer(asked)
    })
    return count
  }
  expect(await posts('null')).toBeLessThan((await posts('checkpoint')) * 1.5)
})

test('what the requests themselves call alike, such as the group of a tag, is no identifier that the server gave twice', async () => {
  const tag = {
    type: 'object',
    required: ['type', 'value'],
    properties: { type: { type: 'string', example: 'simple' }, value: { type: 'string', minLength: 1 } },
  }
  const type = { ...id, name: 'type' }
  const tags: { readonly type: string; readonly value: string }[] = []
  const { findings } = await verifyAnswering(
    {
      paths: {
        '/tag-types': {
          get: {
            operationId: 'types',
            responses: {
              200: shown({
                type: 'array',
                items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              }),
            },
          },
        },
        '/tags': {
          post: {
            operationId: 'create',
            requestBody: bodyOf(tag),
            responses: { 201: shown(tag), 400: { description: 'no' } },
          },
        },
        '/tags/{type}': {
          parameters: [type],
          get: {
            operationId: 'read',
            responses: { 200: shown(tag), 404: missing },
          },
        },
      },
    },
    ({ method, url, body }) => {
      if (url.pathname === '/tag-types') return { status: 200, body: [{ name: 'simple' }] }
      if (method === 'GET') {
        const name = decodeURIComponent(url.pathname.split('/')[2] ?? '')
        return name === 'simple' && tags.length > 0 ? { status: 200, body: tags[0] } : { status: 404 }
      }
      const sent = objectIn(body)
      if (sent?.type !== 'simple' || typeof sent.value !== 'string' || sent.value === '')
        return { status: 400 }
      tags.push({ type: 'simple', value: sent.value })
      return { status: 201, body: { type: 'simple', value: sent.value } }
    },
  )
  expect(findings.map(({ title }) => title).filter(title => title.includes('identifier'))).toEqual([])
})
