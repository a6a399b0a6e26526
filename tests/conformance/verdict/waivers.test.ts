import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import type { Ledger, Waiver } from '../../../spec/index.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

const wrongToken = 'createPlant/auth/wrong-token'
const absent = 'createPlant/auth/absent'

const waiver = (obligation: string, expires = '2027-01-31'): Waiver => ({
  obligation,
  reason: 'tokens are checked from March on',
  owner: 'platform',
  expires,
})

/** Verifies the obligations about credentials on a mock that accepts a wrong token. */
const judge = async (waivers: readonly Waiver[], breaks = wrongToken): Promise<Ledger> => {
  const mock = await createMock({ tokens: ['secret'], breaks })
  onTestFinished(mock.close)
  return verify({
    target: mock.url,
    token: 'secret',
    seed: 5,
    only: ['createPlant/auth', 'createPlant/request/body/name/type'],
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
  const type = 'createPlant/request/body/name/type'
  const ledger = await judge([waiver(type)], `${type}/null`)
  expect(verdict(ledger, `${type}/null`)).toBe('waived')
  expect(verdict(ledger, `${type}/boolean`)).toBe('passed')
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

test('a waiver with a cause does not hold a failure for another one', async () => {
  const held = await judge([{ ...waiver(wrongToken), cause: 'answered 500, answered 200' }])
  expect(verdict(held, wrongToken)).toBe('waived')
  const other = await judge([{ ...waiver(wrongToken), cause: 'answered 500' }])
  expect(verdict(other, wrongToken)).toBe('failed')
  expect(other.end?.conclusion).toBe('nonconformant')
  expect(other.notes.map(({ message }) => message)).toEqual([
    `${wrongToken} fails for another cause than its waiver has («answered 200», not «answered 500»), so it counts`,
  ])
})

test('a waiver with a rate holds failures up to that share of the cases, and passing is no fix', async () => {
  const always = await judge([{ ...waiver(wrongToken), rate: 0.5 }])
  expect(verdict(always, wrongToken)).toBe('failed')
  expect(always.notes.map(({ message }) => message)).toEqual([
    `${wrongToken} fails in 100 % of its cases, and its waiver allows 50 %, so it counts`,
  ])
  const passing = await judge([waiver(wrongToken), { ...waiver(absent), rate: 0.02 }])
  expect(verdict(passing, absent)).toBe('passed')
  expect(passing.end?.conclusion).toBe('partial')
})

test('lost connections are waived up to a rate', async () => {
  let requests = 0
  const losing = () =>
    storeWith({
      respond: (response, { request }) => {
        requests += 1
        if (requests % 12 !== 0) return response
        request.socket.resetAndDestroy()
        return undefined
      },
    })
  const connection = 'createPlant/stability/connection'
  const run = (rate: number) =>
    during(losing(), ({ url, token }) =>
      verify({
        target: url,
        token,
        seed: 5,
        cases: 400,
        sustained: 0,
        at: '2027-01-01T00:00:00.000Z',
        waivers: [{ ...waiver(connection), rate }],
      }),
    )
  expect(verdict(await run(0.2), connection)).toBe('waived')
  expect(verdict(await run(0.005), connection)).toBe('failed')
})

test.each(['createPlant', 'createPlant/auth', '*', '*/wrong-*'])(
  'the waiver of %s holds no authentication unnamed',
  async pattern => {
    await expect(judge([waiver(pattern)])).rejects.toThrow(
      /^the waiver of .* would hold createPlant\/auth\/[a-z-]+ as well: name each obligation of authentication by its whole id$/,
    )
  },
)

test('a rate is a share', async () => {
  await expect(judge([{ ...waiver(wrongToken), rate: 5 }])).rejects.toThrow(
    /has the rate 5: give a share of its cases such as 0\.02$/,
  )
})
