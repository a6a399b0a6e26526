/** A token that the server does not know, at a service of which some operations are for everybody. */
import { expect, test } from 'vitest'
import { bodyOf } from '../../spec/contracts.ts'
import { type Answer, type Asked, shown, verifyAnswering } from '../judge/answering.ts'

const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const rejected = { description: 'rejected' }
const security = [{ token: [] }]

/** Kinds of resources that ask for a token, beside some operations that do not. No 401 is declared. */
const documentOf = (kinds: number, open: number) => ({
  paths: {
    ...Object.fromEntries(
      Array.from({ length: open }, (_, index) => [
        `/open${index}`,
        { get: { operationId: `open${index}`, security: [], responses: { 200: shown({}), 400: rejected } } },
      ]),
    ),
    ...Object.fromEntries(
      Array.from({ length: kinds }, (_, index) => [
        [
          `/kind${index}`,
          {
            post: { operationId: `make${index}`, requestBody: bodyOf(item), responses: { 201: shown(item) } },
          },
        ],
        [
          `/kind${index}/{name}/parts/{part}`,
          {
            parameters: ['name', 'part'].map(name => ({
              ...{ name, in: 'path', required: true },
              schema: { type: 'string', format: 'uuid' },
            })),
            put: {
              operationId: `change${index}`,
              requestBody: bodyOf(item),
              responses: { 204: rejected, 422: rejected },
            },
          },
        ],
      ]).flat(),
    ),
  },
  rest: { security, components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } },
})

const answer = ({ url, headers }: Asked): Answer =>
  url.pathname.startsWith('/open')
    ? { status: 200, body: {} }
    : headers.authorization === 'Bearer right'
      ? { status: 201, body: { name: 'a' } }
      : {
          status: 401,
          headers: { 'WWW-Authenticate': 'Bearer' },
          body: { detail: 'Could not validate credentials' },
        }

test('if nearly all operations reject it, the run ends, and says so', async () => {
  const { end, findings } = await verifyAnswering(documentOf(20, 1), answer, { token: 'wrong', cases: 2000 })
  expect(findings).toEqual([])
  expect(end).toMatchObject({ stopped: 'access', conclusion: 'inconclusive' })
  expect(end?.reason).toMatch(/the server rejects the token \(401\): «Could not validate credentials»/)
  expect(end?.requests).toBeLessThan(500)
})

test('if some accept it, no 401 is a finding, whether a name was known or not', async () => {
  const { end, findings, entries } = await verifyAnswering(documentOf(2, 3), answer, {
    token: 'wrong',
    cases: 600,
  })
  expect(end?.stopped).not.toBe('access')
  expect(findings.filter(({ actual }) => actual.startsWith('401'))).toEqual([])
  expect(entries.some(({ verdict }) => verdict.kind === 'passed')).toBe(true)
})
