import { expect, test } from 'vitest'
import { createMutantRuns } from '../../cli/handlers/selftest/mutant-run.ts'
import { obligationsOf } from '../../spec/index.ts'
import { startOrders } from './order-server.ts'
import { orderContract, verifyOrders } from './orders.ts'

const contract = await orderContract()

test.each([
  [
    'problems have another status',
    '500 as `status` of its problem details, which is not the status of the response',
  ],
  [
    'problems have a type with spaces',
    '"no URI at all" as `type` of its problem details, which is not a URI reference',
  ],
])('%s: told of each operation, and nothing else is', async (fault, wrong) => {
  const server = await startOrders({ fault })
  try {
    const ledger = await verifyOrders(server, {
      contract,
      only: ['*/request/**', '*/response/**'],
      cases: 600,
    })
    expect(ledger.findings.length).toBeGreaterThan(3)
    for (const { obligation, title } of ledger.findings) {
      expect(title).toMatch(/^answered 4\d\d with /)
      expect(title).toContain(wrong)
      expect(obligation).toMatch(/\/problem$/)
    }
  } finally {
    await server.close()
  }
})

test('a mock gives right problem details, and each mutant of them is found', {
  timeout: 60_000,
}, async () => {
  const runMutant = createMutantRuns(contract, { seed: 1, cases: 300, unauthenticated: 'declared' })
  const obligations = obligationsOf(contract).filter(
    ({ subject, operation }) =>
      subject.kind === 'response' && subject.aspect === 'problem' && operation === 'changeOrder',
  )
  const kills = await Promise.all(obligations.map(async each => [each.id, (await runMutant(each)).kind]))
  expect(kills).toEqual([
    ['changeOrder/response/400/problem', 'found'],
    ['changeOrder/response/404/problem', 'found'],
    ['changeOrder/response/412/problem', 'unbreakable'],
  ])
})
