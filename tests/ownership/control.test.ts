/** What has to be so before anything is said of who may have what: two users, both accepted, and resources of the run alone. */
import { expect, test } from 'vitest'
import { TokenError } from '../../conformance/index.ts'
import { PinError } from '../../spec/errors.ts'
import { ownershipObligationsOf } from '../../spec/index.ts'
import { plantContract } from '../state/plants.ts'
import { type GardenServer, other, owner, startGardens, type Variant } from './garden-server.ts'
import { verdictsIn, verifyGardens } from './gardens.ts'

const contract = await plantContract()

const during = async (variant: Variant, work: (server: GardenServer) => Promise<void>): Promise<void> => {
  const server = await startGardens(variant)
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

test('a token that the server does not accept shows nothing: the run is inconclusive, and says why', () =>
  during({}, async server => {
    const { entries, findings, end } = await verifyGardens(server, {
      contract,
      strict: false,
      otherToken: 'token-of-nobody',
      only: [],
      cases: 600,
    })
    expect(findings).toEqual([])
    expect(end?.conclusion).toBe('inconclusive')
    const verdicts = entries.flatMap(({ obligation: { family }, verdict }) =>
      family === 'ownership' ? [verdict] : [],
    )
    const reason =
      'the other user is not accepted, so a refusal shows nothing: createPlant, which would create it, answered 401 to a valid request'
    expect(verdicts).toHaveLength(8)
    for (const verdict of verdicts) expect(verdict).toEqual({ kind: 'inconclusive', cases: 0, reason })
  }))

test('the other user asks for nothing but what the run has created, and lists', () =>
  during({}, async server => {
    const mine = await fetch(`${server.url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'older than the run' }),
    })
    const { id } = (await mine.json()) as { readonly id: number }
    const ledger = await verifyGardens(server, { contract, only: [] })
    expect(ledger.findings).toEqual([])
    const asked = server.seen.filter(line => line.startsWith('bob'))
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.filter(line => line.endsWith(` /plants/${id}`))).toEqual([])
    // What is older than the run is there as before.
    expect(server.count()).toBe(1)
  }))

test.each([
  ['without a first token', { token: undefined }, /but none of the first/],
  ['with one token for both', { otherToken: owner }, /have the same token/],
  ['with a token that no header can have', { otherToken: 'a b' }, /has a space/],
])('%s nothing is sent', (_, options, message) =>
  during({}, async server => {
    await expect(verifyGardens(server, { contract, ...options })).rejects.toThrow(TokenError)
    await expect(verifyGardens(server, { contract, ...options })).rejects.toThrow(message)
    expect(server.seen).toEqual([])
  }),
)

test('what is shared on purpose is pinned, and has to stay so', async () => {
  const id = 'getPlant/ownership/read'
  const pinsOf = (answer: string) => [{ obligation: id, answers: [answer] }]
  await during({ fault: 'read gives all' }, async server => {
    const shared = await verifyGardens(server, { contract, pins: pinsOf('shared') })
    expect(shared.findings).toEqual([])
    expect(verdictsIn(shared)[id]).toBe('passed')
    const denied = await verifyGardens(server, { contract, strict: false, pins: pinsOf('denied') })
    expect(denied.findings.map(({ level, title }) => [level, title])).toEqual([
      ['MUST', 'getPlant gave the plant of one user to another'],
    ])
    expect(denied.end?.conclusion).toBe('nonconformant')
  })
  await during({}, async server => {
    expect((await verifyGardens(server, { contract, pins: pinsOf('denied') })).findings).toEqual([])
    const [finding] = (await verifyGardens(server, { contract, pins: pinsOf('shared') })).findings
    expect(finding).toMatchObject({ level: 'MUST', expected: 'as pinned: shared', actual: 'denied' })
    await expect(verifyGardens(server, { contract, pins: pinsOf('404') })).rejects.toThrow(PinError)
  })
  // A server that fails does neither.
  await during({ fault: 'read crashes on what is foreign' }, async server => {
    const ledger = await verifyGardens(server, { contract, pins: pinsOf('denied') })
    expect(ledger.findings.map(({ title }) => title)).toEqual([
      'getPlant answered 500 for the plant of another user',
    ])
  })
})

test('where an operation asks for no credentials, all share what it gives', async () => {
  const open = await plantContract(['operationId: getPlant\n', 'operationId: getPlant\n      security: []\n'])
  const optional = await plantContract([
    'operationId: getPlant\n',
    'operationId: getPlant\n      security: [{}, { token: [] }]\n',
  ])
  const anonymous = await plantContract([
    'operationId: createPlant\n',
    'operationId: createPlant\n      security: []\n',
  ])
  const idsOf = (given: typeof contract) => ownershipObligationsOf(given).map(({ id }) => id)
  expect(idsOf(contract)).toContain('getPlant/ownership/read')
  for (const shared of [open, optional])
    expect(idsOf(shared)).toEqual(idsOf(contract).filter(id => !id.startsWith('getPlant')))
  // Nobody owns what anybody may create.
  expect(idsOf(anonymous)).toEqual([])
})

test('a token of the other user that expires is renewed', () =>
  during({}, async server => {
    const given = ['expired-token-0', other]
    const ledger = await verifyGardens(server, {
      contract,
      otherToken: replaced => (replaced === null ? given[0] : given[1]) as string,
    })
    expect(new Set(Object.values(verdictsIn(ledger)))).toEqual(new Set(['passed']))
    expect(ledger.start.policies['other user']).toContain('renewed')
  }))
