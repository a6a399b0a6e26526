import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createsByName,
  creatorOf,
  dangerOf,
  loadContract,
  nameOfCreated,
  resourcesOf,
} from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'

/** A contract with these operations: `POST /things`, each with what its response declares. */
const contractOf = async (
  operations: readonly string[],
  more: Readonly<Record<string, object>> = {},
): ReturnType<typeof loadContract> => {
  const paths: Record<string, Record<string, object>> = {}
  for (const line of operations) {
    const [method = '', path = ''] = line.split(' ')
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    const parameters = names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
    paths[path] ??= {}
    const list = { type: 'object', properties: { items: { type: 'array', items: {} } } }
    const schema = method === 'GET' && !path.endsWith('}') ? list : { type: 'object' }
    paths[path][method.toLowerCase()] = {
      operationId: line,
      parameters,
      responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
      ...more[line],
    }
  }
  const from = join(emptyFolder(), 'openapi.json')
  writeFileSync(from, JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths }))
  return loadContract({ from })
}

const linesOf = async (...lines: readonly string[]) => {
  const graph = resourcesOf(await contractOf(lines))
  return graph.resources.map(({ path, parent, create, list, read, replace, change, remove }) => ({
    path,
    parent: parent?.path ?? null,
    operations: [create, list, read, replace, change, remove].flatMap(operation => operation?.id ?? []),
  }))
}

test('a resource is what the last parameter of a path names, with the operations of its collection', async () => {
  const all = [
    ...['POST /things', 'GET /things', 'GET /things/{id}', 'PUT /things/{id}'],
    ...['PATCH /things/{id}', 'DELETE /things/{id}'],
  ]
  expect(await linesOf(...all)).toEqual([{ path: '/things/{id}', parent: null, operations: all }])
})

test.each([
  ['POST /things/', 'GET /things/', 'GET /things/{id}', 'DELETE /things/{id}'],
  ['POST /things/', 'GET /things/', 'GET /things/{id}/', 'DELETE /things/{id}/'],
  ['POST /things', 'GET /things', 'GET /things/{id}/', 'DELETE /things/{id}/'],
  ['POST /things/', 'GET /things', 'GET /things/{id}', 'DELETE /things/{id}/'],
  ['POST /things.json', 'GET /things.json', 'GET /things/{id}.json', 'DELETE /things/{id}.json'],
  ['POST /things', 'GET /things.xml', 'GET /things/{id}.json', 'DELETE /things/{id}'],
])('a slash or a format at the end of a path makes no other resource: %s, %s, %s, %s', async (...lines) => {
  const [resource, ...others] = await linesOf(...lines)
  expect(others).toEqual([])
  expect(resource?.operations.toSorted()).toEqual(lines.toSorted())
})

test('a path without a format goes before the same with one', async () => {
  const lines = ['POST /things', 'POST /things.json', 'GET /things/{id}', 'GET /things/{id}.json']
  const [resource] = await linesOf(...lines)
  expect(resource?.operations.toSorted()).toEqual(['GET /things/{id}', 'POST /things'])
})

test('a nested collection with slashes at the ends is below its parent', async () => {
  const lines = ['POST /shops/', 'POST /shops/{shop}/things/', 'GET /shops/{shop}/things/{thing}/']
  expect((await linesOf(...lines)).map(({ parent, operations }) => [parent, operations])).toEqual([
    [null, lines.slice(0, 1)],
    ['/shops/{shop}', lines.slice(1)],
  ])
})

test('a nested collection is below its parent, whatever each operation calls the parameters', async () => {
  expect(
    await linesOf('POST /shops', 'POST /shops/{shop}/things', 'GET /shops/{shopId}/things/{thingId}'),
  ).toEqual([
    { path: '/shops/{shop}', parent: null, operations: ['POST /shops'] },
    {
      path: '/shops/{shopId}/things/{thingId}',
      parent: '/shops/{shop}',
      operations: ['POST /shops/{shop}/things', 'GET /shops/{shopId}/things/{thingId}'],
    },
  ])
})

test('PUT creates where nothing else does: the client chooses the name', async () => {
  const [named] = resourcesOf(await contractOf(['PUT /keys/{key}', 'GET /keys/{key}'])).resources
  const [posted] = resourcesOf(await contractOf(['POST /keys', 'PUT /keys/{key}'])).resources
  expect(
    [named, posted].map(
      resource =>
        resource && [
          creatorOf(resource)?.id,
          resource.replace !== null && createsByName(resource, resource.replace),
        ],
    ),
  ).toEqual([
    ['PUT /keys/{key}', true],
    ['POST /keys', false],
  ])
})

test('what comes after a name is asked for with the same name; a listed choice names nothing', async () => {
  const contract = await contractOf(['GET /things/{id}/photo', 'GET /reports/{kind}'], {
    'GET /reports/{kind}': {
      parameters: [{ name: 'kind', in: 'path', required: true, schema: { enum: ['day', 'week'] } }],
    },
  })
  const graph = resourcesOf(contract)
  expect(graph.resources.map(({ path }) => path)).toEqual(['/things/{id}'])
  expect(
    contract.operations.map(operation => graph.namesIn(operation).map(({ parameter }) => parameter)),
  ).toEqual([['id'], []])
})

test('what an operation makes under a listed name is a resource of its own kind, and what only chooses an answer is none', async () => {
  const kind = { enum: ['A', 'B'] }
  const parameters = [{ name: 'kind', in: 'path', required: true, schema: kind }]
  const bodyOf = (properties: object) => ({
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  })
  const lines = [
    'POST /rules',
    'GET /rules/{kind}',
    'DELETE /rules/{kind}',
    'POST /reports',
    'GET /reports/{kind}',
  ]
  const contract = await contractOf(lines, {
    'POST /rules': bodyOf({ kind }),
    'POST /reports': bodyOf({ title: { type: 'string' } }),
    ...Object.fromEntries(lines.filter(line => line.includes('{')).map(line => [line, { parameters }])),
  })
  const graph = resourcesOf(contract)
  expect(graph.resources).toEqual([])
  expect(graph.listed.map(({ resource, values, property }) => [resource.path, values, property])).toEqual([
    ['/rules/{kind}', ['A', 'B'], 'kind'],
  ])
  const dangers = contract.operations.map(operation =>
    dangerOf(contract, operation, { isNamed: () => false, isStateless: false }),
  )
  expect(dangers.filter(danger => danger !== null)).toEqual([])
})

const created = async (
  response: { readonly body?: unknown; readonly location?: string; readonly sent?: unknown },
  links?: object,
) => {
  const contract = await contractOf(['POST /things', 'GET /things/{thingId}'], {
    'POST /things': { responses: { 201: { description: 'ok', ...(links === undefined ? {} : { links }) } } },
  })
  const [resource] = resourcesOf(contract).resources
  const [operation] = contract.operations
  if (resource === undefined || operation === undefined) throw new Error('there is no resource')
  return nameOfCreated(resource, {
    operation,
    request: { method: 'POST', target: '/things', headers: [], body: null, chunked: false },
    response: {
      status: 201,
      headers: response.location === undefined ? [] : [['Location', response.location]],
      body: Buffer.from(response.body === undefined ? '' : JSON.stringify(response.body)),
    },
    sent: response.sent as never,
  })
}

test.each([
  ['the parameter’s own name', { body: { id: 1, thingId: 'a' } }, 'a'],
  ['id', { body: { name: 'x', id: 'b' } }, 'b'],
  ['another spelling of its name', { body: { thing_id: 'c' } }, 'c'],
  ['the one object of the body', { body: { data: { id: 'd' } } }, 'd'],
  ['data, beside other objects', { body: { permissions: { read: [] }, data: { id: 'e' } } }, 'e'],
  ['its noun, beside another thing', { body: { owner: { id: 'no' }, thing: { id: 'f' } } }, 'f'],
  ['no other thing in the body', { body: { owner: { id: 'no' }, settings: {} } }, undefined],
  ['the one item of a list', { body: [{ id: 'h' }] }, 'h'],
  ['none of several items', { body: [{ id: 'no' }, { id: 'no' }] }, undefined],
  ['Location', { body: { ok: true }, location: 'http://x.test/v1/things/e%20f' }, 'e f'],
  ['the request, if the response says nothing', { sent: { id: 'g' } }, 'g'],
  ['nothing', { body: { ok: true } }, undefined],
])('the name of what was created comes from %s', async (_name, response, name) => {
  expect(await created(response)).toEqual(name)
})

test('a link says where the name is', async () => {
  const links = {
    get: { operationId: 'GET /things/{thingId}', parameters: { thingId: '$response.body#/self/key' } },
  }
  expect(await created({ body: { id: 'no', self: { key: 'yes' } } }, links)).toBe('yes')
  const header = {
    get: {
      operationId: 'GET /things/{thingId}',
      parameters: { 'path.thingId': '$response.header.Location' },
    },
  }
  expect(await created({ body: { id: 'no' }, location: 'whole' }, header)).toBe('whole')
})

test('a link to an operation with another collection makes the first one a creator', async () => {
  const contract = await contractOf(['POST /orders:place', 'GET /orders/{orderId}'], {
    'POST /orders:place': {
      responses: {
        201: {
          description: 'ok',
          links: {
            get: { operationId: 'GET /orders/{orderId}', parameters: { orderId: '$response.body#/id' } },
          },
        },
      },
    },
  })
  const [resource] = resourcesOf(contract).resources
  expect(resource && creatorOf(resource)?.id).toBe('POST /orders:place')
})

const withProperty = (...names: readonly string[]): object => ({
  responses: {
    200: {
      description: 'ok',
      content: {
        'application/json': {
          schema: { type: 'object', properties: Object.fromEntries(names.map(name => [name, {}])) },
        },
      },
    },
  },
})

test.each([
  ['POST /silences', '/silence/{silenceID}'],
  ['POST /silence', '/silences/{id}'],
  ['POST /v1/things', '/things/{id}'],
  ['POST /things', '/api/v2/things/{id}'],
  ['POST /things/create', '/things/{id}'],
  ['POST /create-thing', '/things/{id}'],
  ['POST /addThing', '/thing/{id}'],
  ['POST /shops/{s}/new-order', '/shops/{shop}/orders/{order}'],
  ['POST /start', '/jobs/{jobId}', withProperty('job_id')],
  ['POST /queues/{queue}', '/queues/{name}'],
  ['POST /tools/create', '/tools/id/{id}'],
  ['POST /tools', '/tools/by-name/{name}'],
])('%s seems to create what %s asks for', async (line, path, more = {}) => {
  const { resources, createdBy } = resourcesOf(await contractOf([`GET ${path}`, line], { [line]: more }))
  const resource = resources.find(each => each.path === path)
  expect([resource?.create, resource?.likelyCreate?.id]).toEqual([null, line])
  expect(resource?.likelyCreate && createdBy(resource.likelyCreate)).toBe(resource)
})

test.each([
  ['POST /silences', '/alerts/{id}'],
  ['POST /things/search', '/things/{id}'],
  ['POST /things/{id}/copy', '/things/{id}'],
  ['POST /orders', '/shops/{shop}/orders/{order}'],
  ['POST /start', '/jobs/{id}', withProperty('id')],
  ['POST /start', '/shops/{shop}/jobs/{jobId}', withProperty('jobId')],
  ['GET /start', '/jobs/{jobId}', withProperty('jobId')],
  // Whose it is was there before.
  ['POST /channels', '/users/{user_id}', withProperty('id', 'user_id')],
  ['POST /add-user-note', '/users/{user_id}', withProperty('uuid', 'user_id')],
  ['POST /models/toggle-by-id', '/tools/id/{id}', withProperty('id')],
])('%s does not seem to create what %s asks for', async (line, path, more = {}) => {
  const { resources } = resourcesOf(await contractOf([`GET ${path}`, line], { [line]: more }))
  expect(resources.map(each => each.likelyCreate?.id)).not.toContain(line)
})

test('what is declared to create comes before what seems to, and creates nothing else', async () => {
  const lines = ['POST /things', 'POST /thing', 'GET /things/{id}', 'POST /things/{id}'].concat([
    'GET /boxes/{id}',
    'PUT /boxes/{id}',
    'POST /box',
    'POST /boxes/{id}',
  ])
  const { resources } = resourcesOf(await contractOf([...lines, 'GET /thingies/{thing}']))
  expect(resources.map(each => [creatorOf(each)?.id, each.likelyCreate])).toEqual([
    ['POST /things', null],
    ['PUT /boxes/{id}', null],
    [undefined, null],
  ])
})

test.each([
  ['createKeys', 'setKeys', 'createKeys'],
  ['createKeys', 'createOrReplaceKeys', 'createOrReplaceKeys'],
  ['rotateKeys', 'setKeys', 'setKeys'],
])('with POST %s and PUT %s of one path, %s creates', async (post, put, creator) => {
  const [get, ...writes] = ['GET /keys/{set}', 'POST /keys/{set}', 'PUT /keys/{set}']
  const more = { [writes[0] ?? '']: { operationId: post }, [writes[1] ?? '']: { operationId: put } }
  const [keys] = resourcesOf(await contractOf([get ?? '', ...writes], more)).resources
  expect(keys === undefined ? null : creatorOf(keys)?.id).toBe(creator)
})

test('a time to wait in a path names nothing that could be created', async () => {
  const lines = ['GET /delay/{seconds}', 'PUT /delay/{seconds}', 'DELETE /delay/{seconds}', 'GET /jobs/{job}']
  expect((await linesOf(...lines)).map(({ path }) => path)).toEqual(['/jobs/{job}'])
})

test.each([
  ['SendMessage', true],
  ['sendAll', false],
])(
  'an operation called %s whose response has an id seems to create messages: %s',
  async (operationId, isCreator) => {
    const schema = { type: 'object', properties: { ID: { type: 'string' } } }
    const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
    const graph = resourcesOf(
      await contractOf(['POST /send', 'GET /message/{ID}'], { 'POST /send': { operationId, responses } }),
    )
    const [messages] = graph.resources
    expect(messages === undefined ? null : creatorOf(messages)?.id).toBe(isCreator ? operationId : undefined)
  },
)
