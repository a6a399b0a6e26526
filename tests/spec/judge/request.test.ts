import { expect, test } from 'vitest'
import { malformedKinds } from '../../../spec/index.ts'
import { contracts } from '../contracts.ts'
import { bearer, ids, json, type Sent } from '../requests.ts'

const plant = '{"id":1,"name":"Fern"}'
const postPlant = (
  body: string | Uint8Array | null,
  headers: Sent['headers'] = { ...json, ...bearer },
): Sent => ({
  method: 'POST',
  target: '/plants',
  headers,
  body,
})

test.each([
  [plant],
  ['{"id":9223372036854775807,"name":""}'],
  ['{"id":-9223372036854775808,"name":"\\u0000","tag":"x"}'],
  ['{"id":1.0,"name":"Fern","extra":{}}'],
  ['\ufeff{"id":-0,"name":"Fern"}'],
])('the plant %s is valid', body => {
  expect(ids(contracts.plantStore, postPlant(body))).toEqual([])
})

test.each([
  ['{"name":"Fern"}', 'body/id/required'],
  ['{"id":1}', 'body/name/required'],
  ['{"id":null,"name":"Fern"}', 'body/id/type/null'],
  ['{"id":true,"name":"Fern"}', 'body/id/type/boolean'],
  ['{"id":"1","name":"Fern"}', 'body/id/type/numeral'],
  ['{"id":"one","name":"Fern"}', 'body/id/type/string'],
  ['{"id":[1],"name":"Fern"}', 'body/id/type/array'],
  ['{"id":{},"name":"Fern"}', 'body/id/type/object'],
  ['{"id":1.5,"name":"Fern"}', 'body/id/type/fraction'],
  ['{"id":9007199254740993.5,"name":"Fern"}', 'body/id/type/fraction'],
  ['{"id":9223372036854775808,"name":"Fern"}', 'body/id/format/above'],
  ['{"id":-9223372036854775809,"name":"Fern"}', 'body/id/format/below'],
  ['{"id":1e400,"name":"Fern"}', 'body/id/format/above'],
  ['{"id":1,"name":5}', 'body/name/type/number'],
  ['{"id":1,"name":"Fern","tag":null}', 'body/tag/type/null'],
  ['[]', 'body/type/array'],
  ['"x"', 'body/type/string'],
  ['7', 'body/type/number'],
  ['null', 'body/type/null'],
  ['{"id":1,', 'body/json'],
  ['   ', 'body/json'],
  ['', 'body/required/empty'],
])('the body %s violates %s and nothing else', (body, id) => {
  expect(ids(contracts.plantStore, postPlant(body))).toEqual([`createPlant/request/${id}`])
})

test('a missing body, a missing media type and a wrong one are one violation each', () => {
  expect(ids(contracts.plantStore, postPlant(null, bearer))).toEqual([
    'createPlant/request/body/required/absent',
  ])
  expect(ids(contracts.plantStore, postPlant(plant, bearer))).toEqual([
    'createPlant/request/content-type/absent',
  ])
  expect(ids(contracts.plantStore, postPlant(plant, { ...bearer, 'Content-Type': 'text/plain' }))).toEqual([
    'createPlant/request/content-type/undeclared',
  ])
  expect(
    ids(
      contracts.plantStore,
      postPlant(plant, { ...bearer, 'content-type': 'Application/JSON;Charset="utf-8"' }),
    ),
  ).toEqual([])
})

test.each([
  [[], 'absent'],
  [[['Authorization', '']], 'empty'],
  [[['Authorization', 'Bearer']], 'scheme-alone'],
  [[['Authorization', 'Bearer   ']], 'scheme-alone'],
  [[['Authorization', 'Basic cmlnaHQ=']], 'wrong-scheme'],
  [[['Authorization', 'right']], 'bare-token'],
  [[['Authorization', 'Bearer "a"']], 'malformed'],
  [[['Authorization', 'Bearer wrong']], 'wrong-token'],
  [[['Authorization', 'Bearer RIGHT']], 'wrong-token'],
  [[['Authorization', 'Bearer right wrong']], 'two-tokens'],
  [
    [
      ['Authorization', 'Bearer right'],
      ['Authorization', 'Bearer wrong'],
    ],
    'two-tokens',
  ],
] as const)('the credentials %j break auth/%s', (headers, name) => {
  expect(
    ids(contracts.plantStore, postPlant(plant, [...headers, ['Content-Type', 'application/json']]), [
      'right',
    ]),
  ).toEqual([`createPlant/auth/${name}`])
})

test('the scheme is case-insensitive, and without a list of tokens every well-formed one is valid', () => {
  for (const value of ['bearer right', 'BEARER right', 'Bearer  right'])
    expect(ids(contracts.plantStore, postPlant(plant, { ...json, Authorization: value }), ['right'])).toEqual(
      [],
    )
  expect(
    ids(contracts.plantStore, postPlant(plant, { ...json, Authorization: 'Bearer any.t-o_k~e+n/==' })),
  ).toEqual([])
})

test('every variant of malformed JSON is rejected as malformed', () => {
  for (const { name, make } of malformedKinds)
    for (let pick = 0; pick < 24; pick++)
      expect(ids(contracts.plantStore, postPlant(make(plant, pick))), `${name} ${pick}`).toEqual([
        'createPlant/request/body/json',
      ])
})
