import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../contracts.ts'

const responses = { 200: { description: 'ok' } }
const parameter = (part: string, name: string, required: boolean): object => ({
  name,
  in: part,
  required,
  schema: { type: 'string' },
})
const key = (part: string, name: string): object => ({ type: 'apiKey', in: part, name })

test('a parameter that is the key of a security scheme is a credential, and a required one is always needed', async () => {
  const get = (security: readonly object[], ...parameters: readonly object[]): object => ({
    get: { operationId: 'a', security, parameters, responses },
  })
  const securitySchemes = {
    key: key('query', 'key'),
    token: key('query', 'token'),
    head: key('header', 'X-Key'),
  }
  const read = async (item: object) => {
    const from = writeDocument('keys.json', documentWith({ '/a': item }, { components: { securitySchemes } }))
    const { parameters, security } = operationOf(await loadContract({ from }), 'a')
    return [parameters.map(({ name }) => name), security.map(schemes => schemes.map(({ name }) => name))]
  }
  const both = [parameter('query', 'key', true), parameter('query', 'token', true)]
  expect(await read(get([{ key: [] }, { token: [] }], ...both))).toEqual([[], [['key', 'token']]])
  expect(await read(get([{ key: [] }, { token: [] }], parameter('query', 'key', false)))).toEqual([
    [],
    [['key'], ['token']],
  ])
  expect(await read(get([{ token: [] }, { head: [] }], parameter('header', 'x-key', true)))).toEqual([
    [],
    [['head'], ['token', 'head']],
  ])
  // Another part, another name, and an operation that needs no credentials.
  expect(await read(get([{ key: [] }], parameter('header', 'key', true)))).toEqual([['key'], [['key']]])
  expect(await read(get([{ key: [] }], parameter('query', 'Key', true)))).toEqual([['Key'], [['key']]])
  expect(await read(get([], ...both))).toEqual([['key', 'token'], []])
})

test('what a program can send comes before what is for browsers, and a header before a URL', async () => {
  const securitySchemes = {
    session: key('cookie', 'sessionid'),
    url: key('query', 'api_key'),
    head: key('header', 'Authorization'),
    oidc: { type: 'mutualTLS' },
  }
  const security = [{ oidc: [] }, { session: [] }, { url: [] }, { session: [], head: [] }, { head: [] }]
  const item = { get: { operationId: 'a', security, responses } }
  const from = writeDocument('order.json', documentWith({ '/a': item }, { components: { securitySchemes } }))
  const { security: alternatives } = operationOf(await loadContract({ from }), 'a')
  expect(alternatives.map(schemes => schemes.map(({ name }) => name))).toEqual([
    ['head'],
    ['url'],
    ['session'],
    ['head', 'session'],
    ['oidc'],
  ])
})
