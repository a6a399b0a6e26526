import { expect, test } from 'vitest'
import { type GivenCredentials, judgeChallenge, loadContract, obligationsOf } from '../../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from '../contracts.ts'

const plant = operationOf(contracts.plantStore, 'createPlant')

const rulesBroken = (
  value: string | null,
  given: GivenCredentials = 'other',
  operation = plant,
): readonly string[] =>
  judgeChallenge(
    operation,
    { status: 401, headers: value === null ? [] : [['WWW-Authenticate', value]], body: new Uint8Array() },
    given,
  ).map(({ id }) => id.replace(/.*\//, ''))

test.each([
  [null, 'present'],
  ['  ', 'present'],
  ['Bearer realm="a', 'grammar'],
  ['Bearer realm="a",, Basic realm="b"', 'grammar'],
  ['Bearer realm = "a"', 'grammar'],
  ['Bearer, realm="a"', 'grammar'],
  ['Bearer realm="a" scope="b"', 'grammar'],
  // By the grammar, `realm=` is a token68 instead of a parameter.
  ['Bearer realm=', 'bearer-parameters'],
  ['Bearer abc==', 'bearer-parameters'],
  ['Basic realm="a"', 'scheme'],
  ['Bearer a="1", A="2"', 'parameters-once'],
  ['Bearer realm=a', 'realm-quoted'],
  ['Bearer', 'bearer-parameters'],
  ['Bearer error="a\\"b"', 'bearer-characters'],
  ['Bearer error="invalid_request"', 'error-code'],
  ['Bearer realm="a, b", error="invalid_token"', null],
  ['Basic realm="\\"", bearer A="1"', null],
  ['Negotiate, Bearer\t', 'bearer-parameters'],
] as const)('the challenge %j violates %s', (value, name) => {
  const broken = rulesBroken(value)
  if (name === null) expect(broken).toEqual([])
  else expect(broken).toContain(name)
})

test('a challenge names an error if a token was sent, and only then', () => {
  expect(rulesBroken('Bearer realm="a"', 'none')).toEqual([])
  expect(rulesBroken('Bearer realm="a"', 'token')).toEqual(['error-given'])
  expect(rulesBroken('Bearer error="invalid_token"', 'token')).toEqual([])
  expect(rulesBroken('Bearer error="invalid_token"', 'none')).toEqual(['error-without-credentials'])
})

test('the rules depend on the security schemes of the operation', async () => {
  const of = async (
    security: object,
    schemes: object,
    responses: object = { 401: { description: 'no' } },
  ) => {
    const text = documentWith(
      { '/a': { get: { operationId: 'a', security, responses } } },
      { components: { securitySchemes: schemes } },
    )
    const contract = await loadContract({ from: writeDocument('security.json', text) })
    return obligationsOf(contract)
      .map(({ id }) => id)
      .filter(id => id.includes('/401/challenge/'))
      .map(id => id.replace(/.*\//, ''))
  }
  const basic = { basic: { type: 'http', scheme: 'basic' } }
  const key = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }
  const any = ['present', 'grammar']
  const all = ['parameters-once', 'realm-quoted']
  expect(await of([{ basic: [] }], basic)).toEqual([...any, 'scheme', ...all, 'basic-realm'])
  expect(await of([{ key: [] }], key)).toEqual([...any, ...all])
  expect(await of([{ key: [] }, { basic: [] }], { ...key, ...basic })).toEqual([
    ...any,
    ...all,
    'basic-realm',
  ])
  expect(await of([], {})).toEqual([...any, ...all])
  expect(await of([{ basic: [] }], basic, { 400: { description: 'no' } })).toEqual([])
  expect(await of([{ basic: [] }], basic, { '4XX': { description: 'no' } })).toContain('present')
})

test('there are obligations on a 401 only if the policy or the contract allows one', () => {
  const ids = (policy: 'declared' | '401' | 'either') =>
    obligationsOf(contracts.plantStore, policy)
      .map(({ id }) => id)
      .filter(id => id.includes('/401/'))
  expect(ids('declared')).toEqual([])
  expect(ids('either')).toEqual(ids('401'))
  expect(ids('401')).toContain('createPlant/response/401/length')
})
