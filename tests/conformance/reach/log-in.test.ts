/** A login rejects a made-up password: that is no fault, unless it says that something else is wrong. */
import { expect, test } from 'vitest'
import { bodyOf } from '../../spec/contracts.ts'
import { shown, verifyAnswering } from '../judge/answering.ts'

const credentials = {
  type: 'object',
  required: ['username', 'password'],
  properties: { username: { type: 'string', minLength: 1 }, password: { type: 'string', minLength: 1 } },
}
const document = {
  paths: {
    '/v1/auth/login/': {
      post: {
        operationId: 'login',
        requestBody: bodyOf(credentials),
        responses: { 200: shown({ type: 'object' }), 422: { description: 'invalid' } },
      },
    },
    '/health': { get: { operationId: 'health', responses: { 200: shown({ type: 'object' }) } } },
  },
}

const runOn = async (detail: string, status: number) => {
  const { findings, entries } = await verifyAnswering(document, ({ method, url }) =>
    url.pathname === '/health' && method === 'GET'
      ? { status: 200, body: {} }
      : url.pathname === '/v1/auth/login/'
        ? { status, body: { detail } }
        : { status: 404, body: {} },
  )
  const verdict = entries.find(({ obligation }) => obligation.id === 'login/request/valid')?.verdict
  return {
    titles: findings.map(({ title }) => title).filter(title => title.includes('no valid request')),
    verdict,
  }
}

test.each([
  ['Unable to log in with provided credentials.', 400],
  ['Wrong username or password', 422],
  ['no', 401],
])('%s (%i)', async (detail, status) => {
  const { titles, verdict } = await runOn(detail, status)
  expect(titles).toEqual([])
  expect(verdict).toMatchObject({
    kind: 'untested',
    cause: 'access',
    reason: expect.stringContaining('--examples'),
  })
})

test('what it says of another field is a finding', async () => {
  const { titles, verdict } = await runOn('the field `realm` is missing', 400)
  expect(titles.length).toBe(1)
  expect(verdict).toMatchObject({ kind: 'failed' })
})
