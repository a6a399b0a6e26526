import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import type { Ledger, Waiver } from '../../../spec/index.ts'

const wrongToken = 'createPlant/auth/wrong-token'
const absent = 'createPlant/auth/absent'

const waiver = (obligation: string, expires = '2027-01-31'): Waiver => ({
  obligation,
  reason: 'tokens are checked from March on',
  owner: 'platform',
  expires,
})

/** Verifies the obligations about credentials on a mock that accepts a wrong token. */
const judge = async (waivers: readonly Waiver[]): Promise<Ledger> => {
  const mock = await createMock({ tokens: ['secret'], breaks: wrongToken })
  onTestFinished(mock.close)
  return verify({
    target: mock.url,
    token: 'secret',
    seed: 5,
    only: ['createPlant/auth'],
    cases: 120,
    at: '2027-01-31T23:59:59.000Z',
    waivers,
  })
}

const verdict = ({ entries }: Ledger, id: string) =>
  entries.find(({ obligation }) => obligation.id === id)?.verdict.kind

test('a waived failure does not count, up to and including its last day', async () => {
  const ledger = await judge([waiver(wrongToken)])
  expect(verdict(ledger, wrongToken)).toBe('waived')
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([wrongToken])
  expect(ledger.end?.conclusion).toBe('partial')
})

test('an expired waiver does not excuse a failure, and the run says so', async () => {
  const ledger = await judge([waiver(wrongToken, '2027-01-30')])
  expect(verdict(ledger, wrongToken)).toBe('failed')
  expect(ledger.notes.map(({ message }) => message)).toEqual([
    `the waiver of ${wrongToken} (platform) expired on 2027-01-30: fix the server, or agree on a later day`,
  ])
})

test('an expired waiver of a passed obligation makes the run outdated as well', async () => {
  const ledger = await judge([waiver(wrongToken), waiver(absent, '2026-12-31')])
  expect(verdict(ledger, absent)).toBe('passed')
  expect(ledger.end?.conclusion).toBe('outdated')
})

test('a waived obligation that passes again is fixed, and makes the run outdated', async () => {
  const ledger = await judge([waiver(wrongToken), waiver(absent)])
  expect(verdict(ledger, absent)).toBe('fixed')
  expect(ledger.end?.conclusion).toBe('outdated')
})

test('one waiver of many obligations is needed as long as one of them fails', async () => {
  const ledger = await judge([waiver('createPlant/auth/*token')])
  expect(verdict(ledger, wrongToken)).toBe('waived')
  expect(verdict(ledger, 'createPlant/auth/bare-token')).toBe('passed')
  expect(ledger.end?.conclusion).toBe('partial')
})

test.each([
  [waiver('createPlant/auth/wrong-tokens'), /^a waiver matches nothing: the contract has no obligation/],
  [{ ...waiver(wrongToken), owner: ' ' }, /^the waiver of createPlant\/auth\/wrong-token has no owner: give/],
  [waiver(wrongToken, '2027-02-30'), /expires on 2027-02-30: give a day such as 2027-01-31$/],
])('a waiver that cannot be used is an error, before anything is sent', async (unusable, message) => {
  await expect(judge([unusable])).rejects.toThrow(message)
})

test('nothing is sent if a waiver cannot be used', async () => {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const judged = verify({ target: `http://127.0.0.1:${port}`, waivers: [waiver('createPlant/none')] })
  await expect(judged).rejects.toThrow(/^a waiver matches nothing/)
  expect(connections).toBe(0)
})
