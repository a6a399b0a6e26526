/** Lists whose next page is asked for by a parameter that may have any name: a name that is not known accuses nobody. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

type Style = {
  readonly parameter: string
  /** How a list says that it has more; a bare list says nothing. */
  readonly says: 'hasMore' | 'nextCursor' | 'total' | 'nothing'
  /** Whether the parameter takes the name of the last resource, and not the number of a page. */
  readonly isCursor?: true
  readonly forgets?: true
}

const instance = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const json = (schema: object) => ({ 'application/json': { schema } })
const shown = (schema: object) => ({ description: 'ok', content: json(schema) })
const failures = Object.fromEntries([400, 404].map(status => [status, { description: 'rejected' }]))

const bodies = {
  hasMore: { hasMore: { type: 'boolean' } },
  nextCursor: { nextCursor: { type: ['string', 'null'] } },
  total: { total: { type: 'integer' } },
  nothing: {},
}

const documentOf = ({ parameter, says, isCursor }: Style) => {
  const instances = { type: 'array', items: instance }
  const list = { type: 'object', required: ['items'], properties: { items: instances, ...bodies[says] } }
  const schema = isCursor ? { type: 'string' } : { type: 'integer', minimum: 1 }
  return documentWith({
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [{ name: parameter, in: 'query', schema }],
        responses: { 200: shown(says === 'nothing' ? instances : list), ...failures },
      },
      post: {
        operationId: 'createThing',
        requestBody: {
          required: true,
          content: json({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
        },
        responses: { 201: shown(instance), ...failures },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: shown(instance), ...failures },
      },
    },
  })
}

const pageLength = 3

/** Keeps what valid requests create, and lists it page by page. */
const startInstances = async ({ parameter, says, isCursor, forgets }: Style): Promise<string> => {
  const instances = ['Fern', 'Moss', 'Reed', 'Sedge'].map((name, index) => ({ id: index + 1, name }))
  const known = instances.length
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const chunks = await request.toArray()
    if (request.method === 'POST') {
      const made = { id: instances.length + 1, name: JSON.parse(Buffer.concat(chunks).toString()).name }
      instances.push(made)
      return answer(201, made)
    }
    const one = /^\/things\/(.*)$/.exec(pathname)?.[1]
    if (one !== undefined) {
      const found = instances.find(({ id }) => String(id) === one)
      return found === undefined ? answer(404, {}) : answer(200, found)
    }
    const asked = Number(searchParams.get(parameter) ?? (isCursor ? 0 : 1))
    const listed = forgets ? instances.slice(0, known) : instances
    const start = isCursor ? asked : (asked - 1) * pageLength
    const items = listed.slice(start, start + pageLength)
    const hasMore = listed.length > start + pageLength
    if (says === 'hasMore') return answer(200, { items, hasMore })
    if (says === 'total') return answer(200, { items, total: listed.length })
    if (says === 'nextCursor')
      return answer(200, { items, nextCursor: hasMore ? String(items.at(-1)?.id) : null })
    answer(200, items)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

const listVerdict = async (style: Style, target: string | null = null) => {
  const contract = await loadContract({ from: writeDocument('things.json', documentOf(style)) })
  const { entries } = await verify({
    contract,
    target: target ?? (await startInstances(style)),
    seed: 1,
    sustained: 0,
    only: ['createThing/state', 'listThings/state', 'getThing/state'],
  })
  const found = entries.find(({ obligation }) => obligation.id === 'listThings/state/contains')
  expect(
    entries.filter(({ verdict }) => verdict.kind === 'failed').map(({ obligation }) => obligation.id),
  ).toEqual(found?.verdict.kind === 'failed' ? ['listThings/state/contains'] : [])
  return found?.verdict
}

const known: readonly Style[] = [
  { parameter: 'page', says: 'hasMore' },
  { parameter: 'p', says: 'hasMore' },
  { parameter: 'p', says: 'nothing' },
  { parameter: 'page-number', says: 'total' },
  { parameter: 'startAfter', says: 'nextCursor', isCursor: true },
  { parameter: 'exclusiveStartKey', says: 'nextCursor', isCursor: true },
]

test.each(known)('$parameter, the list says $says: read to the end', async style => {
  expect((await listVerdict(style))?.kind).toBe('passed')
})

test.each(known)('$parameter, the list says $says: a list without what was created is found', async style => {
  expect((await listVerdict({ ...style, forgets: true }))?.kind).toBe('failed')
})

test.each<Style>([
  { parameter: 'blatt', says: 'hasMore' },
  { parameter: 'blatt', says: 'total' },
  { parameter: 'blatt', says: 'nothing' },
  { parameter: 'weiter', says: 'nextCursor', isCursor: true },
  { parameter: 'after', says: 'hasMore', isCursor: true },
  { parameter: 'after', says: 'nothing', isCursor: true },
])('$parameter, the list says $says: untested, with a way out', async style => {
  expect(await listVerdict(style)).toMatchObject({
    kind: 'untested',
    reason: expect.stringContaining('no parameter of listThings is known to ask for them: call it `page`'),
  })
})

test('the mock reads the same names', async () => {
  const style: Style = { parameter: 'p', says: 'hasMore' }
  const contract = await loadContract({ from: writeDocument('things.json', documentOf(style)) })
  const mock = await createMock({ contract, stateful: true })
  onTestFinished(() => mock.close())
  expect((await listVerdict(style, mock.url))?.kind).toBe('passed')
})
