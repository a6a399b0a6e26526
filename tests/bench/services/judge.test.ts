/** What the judge of the comparison on products sees in traffic, counted by hand. */
import { expect, test } from 'vitest'
import { readService } from '../../../bench/services/document.ts'
import { type Exchange, judge, messageOf } from '../../../bench/services/judge.ts'

const swagger = `
swagger: '2.0'
basePath: /v2
paths:
  /pets:
    parameters: [{ name: limit, in: query, type: integer }]
    get: { responses: { 200: { schema: { type: array, items: { $ref: '#/definitions/Pet' } } } } }
    post: { responses: { 201: { $ref: '#/responses/One' }, default: { description: any failure } } }
  /pets/mine:
    get: { responses: { 200: { schema: { $ref: '#/definitions/Pet' } } } }
  /pets/{id}:
    get: { responses: { 200: { $ref: '#/responses/One' }, 404: { description: none } } }
    head: { responses: { 200: { $ref: '#/responses/One' } } }
    delete: { responses: { 204: { description: gone } } }
responses:
  One: { description: one, schema: { $ref: '#/definitions/Pet' } }
definitions:
  Pet:
    type: object
    required: [id, name]
    example: { id: 1 }
    properties:
      id: { type: integer, minimum: 0, exclusiveMinimum: true }
      name: { type: string, x-nullable: true }
      nullable: { type: boolean }
      parent: { $ref: '#/definitions/Pet' }
`

const seen = (request: string, status: number | null, body = '', more: Partial<Exchange> = {}): Exchange => {
  const [method = '', target = ''] = request.split(' ')
  return { ms: 0, method, target, status, type: 'application/json', body, isCut: false, ...more }
}

const pet = '{"id":1,"name":null,"nullable":true}'

const log: readonly Exchange[] = [
  seen('GET /v2/pets?limit=1', 200, `[${pet},{"id":0}]`),
  seen('GET /v2/pets', 200, `[{"id":0}]`),
  seen('GET /v2/pets', 200, `[{"id":0}`, { isCut: true }),
  seen('GET /v2/pets', 422, `{}`),
  seen('GET /v2/pets', 502, '<h1>No worker 17</h1>', { type: 'text/html' }),
  seen('GET /v2/pets', 502, '<h1>No worker 18</h1>', { type: 'text/html' }),
  seen('GET /v2/pets/mine', 503, '{"message":"locked"}'),
  seen('POST /v2/pets', 201, pet),
  seen('POST /v2/pets', 418, 'short'),
  seen('POST /v2/pets', 500, '{"message":"no such column: \\"a\\"","path":"/v2/pets"}'),
  seen('POST /v2/pets', 500, '{"message":"no such column: \\"b\\"","path":"/v2/pets?a"}'),
  seen('POST /v2/pets', 500, '{"message":"disk is full","path":"/v2/pets"}'),
  seen('GET /v2/pets/mine', 200, '{"id":1,"name":"Rex","parent":{"id":"2","name":"Tia"}}'),
  seen('GET /v2/pets/1', 200, 'Rex'),
  seen('GET /v2/pets/2', 404, 'anything'),
  seen('HEAD /v2/pets/1', 200, ''),
  seen('DELETE /v2/pets/1', 204, ''),
  seen('DELETE /v2/pets/1', null),
  seen('GET /pets', 200, ''),
  seen('PUT /v2/pets', 405, ''),
]

test('traffic is counted by operation, status, message and schema', async () => {
  const service = readService(swagger, '/v2')
  expect(service.operations).toHaveLength(6)
  expect(await judge(service, log)).toEqual({
    requests: 20,
    elsewhere: 2,
    succeeded: [
      ...['DELETE /pets/{id}', 'GET /pets', 'GET /pets/mine', 'GET /pets/{id}', 'HEAD /pets/{id}'],
      'POST /pets',
    ],
    errors: ['GET /pets 502 No worker #', 'POST /pets 500 disk is full', 'POST /pets 500 no such column: ·'],
    busy: ['GET /pets/mine'],
    undeclared: ['GET /pets 422', 'GET /pets 502', 'GET /pets/mine 503'],
    wrong: ['GET /pets', 'GET /pets/mine', 'GET /pets/{id}'],
    breaches: [
      'GET /pets 200 /* required',
      'GET /pets 200 /*/id exclusiveMinimum',
      'GET /pets/mine 200 /parent/id type',
      'GET /pets/{id} 200 malformed',
    ],
  })
})

const schemasOf = (version: string, content: object, schemas: object): string =>
  JSON.stringify({
    openapi: version,
    paths: { '/a': { get: { responses: { '2XX': { description: '', content } } } } },
    components: { schemas },
  })

const wrongIn = async (document: string, body: string, type = 'application/json'): Promise<number> =>
  (await judge(readService(document, '/'), [seen('GET /a', 200, body, { type })])).breaches.length

test.each([
  ['null is one of the types', '3.1.0', { type: ['integer', 'null'] }, 'null', 0],
  ['nullable is no keyword of 3.1', '3.1.0', { type: 'integer', nullable: true }, 'null', 1],
  ['nullable', '3.0.3', { type: 'string', nullable: true, enum: ['a'] }, 'null', 0],
  ['what stands beside $ref in 3.1', '3.1.0', { $ref: '#/components/schemas/N', maximum: 3 }, '4', 1],
  ['what stands beside $ref in 3.0', '3.0.3', { $ref: '#/components/schemas/N', maximum: 3 }, '4', 0],
  ['an exclusive limit that is no flag', '3.1.0', { exclusiveMaximum: 3 }, '3', 1],
  ['a flag for a limit that is not exclusive', '3.0.3', { maximum: 3, exclusiveMaximum: false }, '3', 0],
  [
    'a required property of requests alone',
    '3.0.3',
    { required: ['p', 'q'], properties: { p: { writeOnly: true }, q: {} } },
    '{"q":1}',
    0,
  ],
  [
    'a property with the name of a keyword',
    '3.0.3',
    { properties: { example: { type: 'string' } } },
    '{"example":1}',
    1,
  ],
  ['a schema that Ajv cannot read', '3.0.3', { type: 'nothing' }, '1', 0],
])('%s', async (_what, version, schema, body, count) => {
  const schemas = { N: { type: 'integer' } }
  expect(await wrongIn(schemasOf(version, { 'application/json': { schema } }, schemas), body)).toBe(count)
})

test.each([
  ['application/json; charset=utf-8', 1],
  ['application/problem+json', 0],
  ['text/plain', 0],
])('a body of %s is judged by what is declared for it, and only if it is JSON', async (type, count) => {
  const content = {
    'application/json': { schema: { type: 'string' } },
    'text/*': { schema: { type: 'object' } },
  }
  expect(await wrongIn(schemasOf('3.1.0', content, {}), '1', type)).toBe(count)
})

test.each([
  ['{"errors":[{"detail":"id 4711 is gone","code":"E1"}],"timestamp":"now"}', 'id # is gone E#'],
  ['<style>p {}</style><p>It&nbsp;broke: <b>7f3c2d10-1111-4222-8333-444455556666</b>', 'It&nbsp;broke: #'],
  ['near "\u2028" at 0xdeadbeef', 'near · at #'],
  ['Ünbekannt', '·nbekannt'],
])('the message of %s', (body, message) => {
  expect(messageOf(body)).toBe(message)
})

test('a parameter whose pattern has several segments stands for these', () => {
  const named = (pattern: string) =>
    `[{ name: name, in: path, required: true, type: string, pattern: '${pattern}' }]`
  const { find } = readService(
    `
swagger: '2.0'
paths:
  /v1/{name}: { get: { parameters: ${named('users/[^/]+')}, responses: { 200: { description: ok } } } }
  /v1/{name}/keys: { get: { parameters: ${named('users/[^/]+')}, responses: { 200: { description: ok } } } }
  /v2/{name}: { get: { parameters: ${named('[^/]+')}, responses: { 200: { description: ok } } } }
`,
    '/',
  )
  const found = ['/v1/users/7', '/v1/users/7/keys', '/v1/7', '/v2/7', '/v2/users/7'].map(
    path => find('GET', path)?.name,
  )
  expect(found).toEqual(['GET /v1/{name}', 'GET /v1/{name}/keys', undefined, 'GET /v2/{name}', undefined])
})
