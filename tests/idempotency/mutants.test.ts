import { expect, test } from 'vitest'
import { createMutantRuns } from '../../cli/handlers/selftest/mutant-run.ts'
import { createMock, MutantError } from '../../mock/index.ts'
import { stateObligationsOf } from '../../spec/index.ts'
import { orderContract } from './orders.ts'

const contract = await orderContract()

test('each mutant of a mock of orders is found by its own requirement alone', {
  timeout: 120_000,
}, async () => {
  const runMutant = createMutantRuns(contract, { seed: 1, cases: 400, unauthenticated: 'declared' })
  const obligations = stateObligationsOf(contract).filter(({ family }) => family !== 'state')
  expect(obligations).toHaveLength(22)
  const kills: Record<string, unknown> = {}
  for (const obligation of obligations) kills[obligation.id] = { ...(await runMutant(obligation)) }
  const found = { kind: 'found', others: [] }
  expect(kills).toEqual(Object.fromEntries(obligations.map(({ id }) => [id, found])))
})

test('a mock that keeps nothing has nothing to break', async () => {
  await expect(createMock({ contract, breaks: 'createOrder/idempotency/once' })).rejects.toThrow(MutantError)
})
