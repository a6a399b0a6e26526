import { expect, test } from 'vitest'
import { isNear, nearOnly } from '../../../mock/callbacks/send.ts'

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['10.1.2.3', true],
  ['172.31.255.255', true],
  ['192.168.0.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['8.8.8.8', false],
  ['172.32.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['2001:db8::1', false],
  ['fe80::1', false],
  ['::ffff:8.8.8.8', false],
  ['localhost', false],
])('%s is near: %s', (address, expected) => {
  expect(isNear(address)).toBe(expected)
})

test.each([{ all: true }, {}])('what a name leads to has to be near (%j)', async options => {
  const failure = new Promise(resolve => nearOnly('8.8.8.8', options, error => resolve(error?.message)))
  expect(await failure).toBe(
    '8.8.8.8 is neither of this machine nor of a private network: --callback-hosts 8.8.8.8 allows it',
  )
  const found = new Promise(resolve => nearOnly('127.0.0.1', options, (_error, address) => resolve(address)))
  expect(await found).toEqual('all' in options ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1')
})

test('a name is looked up when the connection is made', async () => {
  const found = await new Promise((resolve, reject) =>
    nearOnly('localhost', { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    ),
  )
  expect((found as readonly { address: string }[]).every(({ address }) => isNear(address))).toBe(true)
})
