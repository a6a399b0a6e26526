import { expect, test } from 'vitest'
import { nearest } from '../../../spec/index.ts'

const ids = [
  'createPlant/request/body/id/zero',
  'createPlant/request/body/id/one',
  'createPlant/auth/absent',
  'createPlant/auth/wrong-token',
  'createPlant/auth/joined',
]

test.each([
  ['csaes', ['cases', 'seed', 'timeout'], ['cases']],
  ['wait-for', ['waitFor', 'timeout'], ['waitFor']],
  ['createPlant/auth/absnt', ids, ['createPlant/auth/absent']],
  ['createPlant/auth/wrong-tokens', ids, ['createPlant/auth/wrong-token']],
  [
    'createPlant/request/body/i',
    ids,
    ['createPlant/request/body/id/zero', 'createPlant/request/body/id/one'],
  ],
  // A shared folder alone does not make names similar.
  ['createPlant/auth/none-such', ids, []],
  ['createPlant/open', ids, []],
  ['nonsense', ids, []],
] as const)('nearest to %s among %j: %j', (mistyped, known, expected) => {
  expect(nearest(mistyped, known)).toEqual(expected)
})
