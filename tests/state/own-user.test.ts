/** A run changes and removes nothing of the user whom its own credentials belong to, whatever it may do otherwise. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { type Answer, type Asked, answering, objectIn, shown } from '../conformance/judge/answering.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string', minLength: 1 }
const user = { type: 'object', required: ['name'], properties: { name: text } }
const name = { name: 'name', in: 'path', required: true, schema: text }
const failures = { 400: shown({}), 401: shown({}), 404: shown({}) }
const documentOf = (scheme: object): string =>
  documentWith(
    {
      '/users': {
        get: {
          operationId: 'listUsers',
          responses: { 200: shown({ type: 'array', items: user }), 401: shown({}) },
        },
      },
      '/users/{name}': {
        parameters: [name],
        get: { operationId: 'getUser', responses: { 200: shown(user), ...failures } },
        delete: { operationId: 'removeUser', responses: { 204: { description: 'gone' }, ...failures } },
      },
      '/users/{name}/secret': {
        parameters: [name],
        put: {
          operationId: 'changeSecret',
          requestBody: bodyOf({ type: 'object', required: ['secret'], properties: { secret: text } }),
          responses: { 204: { description: 'changed' }, ...failures },
        },
      },
    },
    { components: { securitySchemes: { it: { type: 'http', ...scheme } } }, security: [{ it: [] }] },
  )

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test.each([
  ['Basic credentials', { scheme: 'basic' }, 'ann:right-password', `Basic ${btoa('ann:right-password')}`],
  ['a JWT', { scheme: 'bearer' }, `${part({ alg: 'x' })}.${part({ sub: 'ann' })}.sign`, null],
])('%s', async (_, scheme, token, header) => {
  const users = new Set(['ann'])
  const touched: string[] = []
  const answer = ({ method, headers, url, body: sent }: Asked): Answer => {
    if (headers.authorization !== (header ?? `Bearer ${token}`)) return { status: 401, body: {} }
    const [, kind, one = '', more, rest] = decodeURIComponent(url.pathname).split('/')
    if (kind !== 'users' || rest !== undefined) return { status: 404, body: {} }
    if (one === '')
      return method === 'GET'
        ? { status: 200, body: [...users].map(each => ({ name: each })) }
        : { status: 405 }
    if (method !== 'GET' && users.has(one)) touched.push(`${method} ${one} ${more}`)
    if (!users.has(one)) return { status: 404, body: {} }
    if (more === undefined && method === 'GET') return { status: 200, body: { name: one } }
    if (more === 'secret' && method === 'PUT')
      return typeof objectIn(sent)?.secret === 'string' ? { status: 204 } : { status: 400, body: {} }
    return { status: more === undefined && method === 'DELETE' ? 204 : 405 }
  }
  const contract = await loadContract({ from: writeDocument('users.json', documentOf(scheme)) })
  const target = await answering(answer)
  const { entries } = await verify({ contract, target, token, seed: 1, sustained: 0, include: ['*'] })
  expect([...new Set(touched)]).toEqual([])
  const verdictOf = (id: string): unknown => entries.find(({ obligation }) => obligation.id === id)?.verdict
  expect(verdictOf('getUser/request/valid')).toMatchObject({ kind: 'passed' })
  expect(verdictOf('changeSecret/request/valid')).not.toMatchObject({ kind: 'passed' })
})
