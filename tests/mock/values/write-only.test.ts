/** What is `writeOnly` is in no response of the mock, whether or not the schema allows other properties, and whether or not it keeps what it is sent. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'

const documentOf = (closed: boolean, extra: object) => ({
  openapi: '3.1.0',
  info: { title: 'Users', version: '1' },
  paths: {
    '/users': {
      post: {
        operationId: 'createUser',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
        },
        responses: {
          201: {
            description: 'the user',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
          },
        },
      },
      get: {
        operationId: 'listUsers',
        parameters: [{ name: 'turn', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'all',
            content: {
              'application/json': {
                schema: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/User' } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      User: {
        type: 'object',
        required: ['name', 'password'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', minLength: 1 },
          password: { type: 'string', writeOnly: true, minLength: 8, ...extra },
          note: { type: 'string' },
        },
        ...(closed ? { additionalProperties: false } : {}),
      },
    },
  },
})

test.each([
  [true, false, {}],
  [true, true, {}],
  [false, false, {}],
  [false, true, {}],
  [true, false, { examples: ['correct horse'] }],
  [true, true, { default: 'correct horse' }],
])('closed: %s, stateful: %s, %j', async (closed, stateful, extra) => {
  const path = writeDocument('users.json', JSON.stringify(documentOf(closed, extra)))
  const mock = await startMock({ contract: await loadContract({ from: path }), stateful })
  try {
    const post = await fetch(`${mock.url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ann', password: 'my own secret' }),
    })
    expect(post.status).toBe(201)
    const bodies: unknown[] = [await post.json()]
    for (let turn = 0; turn < 12; turn++)
      bodies.push(await (await fetch(`${mock.url}/users?turn=${turn}`)).json())
    expect(bodies[0]).toMatchObject({ name: 'Ann' })
    expect(JSON.stringify(bodies)).not.toContain('password')
  } finally {
    await mock.close()
  }
})
