import { describe, expect, test } from 'vitest'
import {
  credentialForm,
  credentialFormText,
  loadContract,
  obligationsOf,
  undeclaredForm,
  withCredentialForm,
} from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

describe('the forms in which a secret is sent', () => {
  test.each([
    ['bearer', { kind: 'bearer' }, 'Authorization: Bearer …'],
    ['basic', { kind: 'basic' }, 'Authorization: Basic …'],
    ['header:X-Api-Key', { kind: 'apiKey', in: 'header', key: 'X-Api-Key' }, 'X-Api-Key: …'],
    ['query:token', { kind: 'apiKey', in: 'query', key: 'token' }, 'the query parameter token'],
    ['query:api[key]', { kind: 'apiKey', in: 'query', key: 'api[key]' }, 'the query parameter api[key]'],
    ['cookie:sid', { kind: 'apiKey', in: 'cookie', key: 'sid' }, 'the cookie sid'],
    [
      'Authorization: token {}',
      { kind: 'apiKey', in: 'header', key: 'Authorization', template: 'token {}' },
      'Authorization: token …',
    ],
    [
      'X-Auth:key="{}", v=1 ',
      { kind: 'apiKey', in: 'header', key: 'X-Auth', template: 'key="{}", v=1' },
      'X-Auth: key="…", v=1',
    ],
    ['X-Key: {}', { kind: 'apiKey', in: 'header', key: 'X-Key' }, 'X-Key: …'],
  ])('%s', (text, form, words) => {
    expect(credentialForm(text)).toEqual(form)
    expect(credentialFormText(text)).toBe(words)
  })

  test.each([
    '',
    'Bearer',
    'digest',
    'header:',
    'header:X Key',
    'query:',
    'query:a=b',
    'cookie:a b',
    'body:x',
    'X-Key: 1',
  ])('no form: %j', text => expect(credentialForm(text)).toBeNull())
})

const responses = { 200: { description: 'ok' } }
const contractWith = (rest: object, operation: object = {}) =>
  loadContract({
    from: writeDocument('a.json', documentWith({ '/a': { get: { responses, ...operation } } }, rest)),
  })
const schemes = (securitySchemes: object) => ({ components: { securitySchemes } })
const apiKey = { type: 'apiKey', in: 'header', name: 'X-Key' }

describe('a document that asks for no credentials', () => {
  test.each([
    ['declares no scheme', {}, 'bearer'],
    ['declares one that it applies nowhere', schemes({ key: apiKey }), 'header:X-Key'],
    ['declares basic that it applies nowhere', schemes({ b: { type: 'http', scheme: 'basic' } }), 'basic'],
    [
      'declares two that it applies nowhere',
      schemes({ key: apiKey, b: { type: 'http', scheme: 'basic' } }),
      'bearer',
    ],
    ['declares what cannot be computed', schemes({ d: { type: 'http', scheme: 'digest' } }), 'bearer'],
  ])('%s', async (_, rest, form) => expect(undeclaredForm(await contractWith(rest))).toBe(form))

  test('asks for some in one operation: then it says where', async () => {
    const contract = await contractWith(schemes({ key: apiKey }), { security: [{ key: [] }] })
    expect(undeclaredForm(contract)).toBeNull()
  })
})

test('a form takes the place of what is declared, for tests as well, and is sent where nothing is', async () => {
  const open = { get: { operationId: 'open', security: [], responses } }
  const key = { name: 'X-Key', in: 'header', required: true, schema: { type: 'string' } }
  const contract = await loadContract({
    from: writeDocument(
      'a.json',
      documentWith(
        { '/a': { get: { operationId: 'closed', parameters: [key], responses } }, '/b': open },
        { security: [{ tok: [] }], ...schemes({ tok: { type: 'http', scheme: 'digest' } }) },
      ),
    ),
  })
  const sent = withCredentialForm(contract, 'header:X-Key')
  const [closed, other] = sent.operations
  expect(closed).toMatchObject({
    parameters: [],
    security: [[{ kind: 'apiKey', key: 'X-Key', name: 'tok' }]],
  })
  expect(closed?.undeclared).toBeUndefined()
  expect(other).toMatchObject({ security: [], undeclared: { kind: 'apiKey', key: 'X-Key' } })
  expect(contract.notTested.map(({ message }) => message).join()).toMatch(
    /"tok" \(http digest\) is not tested/,
  )
  expect(sent.notTested).toEqual([])
  expect(sent.digest).toBe(contract.digest)
  expect(withCredentialForm(contract, null)).toBe(contract)
})

test('what the document allows as well is no wrong place of the token', async () => {
  const both = [{ inQuery: [] }, { inHeader: [] }]
  const contract = await loadContract({
    from: writeDocument(
      'a.json',
      documentWith(
        { '/a': { get: { operationId: 'a', responses } } },
        {
          security: both,
          ...schemes({
            inQuery: { type: 'apiKey', in: 'query', name: 'access_token' },
            inHeader: { type: 'http', scheme: 'bearer' },
          }),
        },
      ),
    ),
  })
  const idsOf = (text: string | null): readonly string[] =>
    obligationsOf(withCredentialForm(contract, text)).map(({ id }) => id)
  expect(idsOf(null)).not.toContain('a/auth/query-token')
  expect(idsOf('bearer')).not.toContain('a/auth/query-token')
  // Of the query, other names of the token are wrong places.
  expect(idsOf('query:access_token')).toContain('a/auth/query-token')
  for (const text of [null, 'bearer', 'cookie:sid']) expect(idsOf(text)).toContain('a/auth/absent')
})
