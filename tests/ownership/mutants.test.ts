import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createMutantRuns } from '../../cli/handlers/selftest/mutant-run.ts'
import { createMock, MutantError } from '../../mock/index.ts'
import { loadContract, ownershipObligationsOf } from '../../spec/index.ts'
import { writeDocument } from '../spec/contracts.ts'
import { plantContract } from '../state/plants.ts'

/** Resources whose names clients choose, and others below them, which one token after the other asks for. */
const shelves = readFileSync(fileURLToPath(new URL('../state/shelves.openapi.yaml', import.meta.url)), 'utf8')
  .replace('paths:\n', 'security: [{ token: [] }]\npaths:\n')
  .replace('components:\n', 'components:\n  securitySchemes: { token: { type: http, scheme: bearer } }\n')

test('each mutant of shelves is found by its own obligation alone', { timeout: 60_000 }, async () => {
  const contract = await loadContract({ from: writeDocument('shelves.yaml', shelves) })
  const runMutant = createMutantRuns(contract, { seed: 1, cases: 400, unauthenticated: 'declared' })
  const kills: Record<string, unknown> = {}
  for (const obligation of ownershipObligationsOf(contract))
    kills[obligation.id] = { ...(await runMutant(obligation)) }
  const found = { kind: 'found', others: [] }
  expect(kills).toEqual({
    'getShelf/ownership/read': found,
    'putShelf/ownership/replace': found,
    // Who asks for another's shelf makes one of the same name.
    'putShelf/ownership/refused': {
      kind: 'untested',
      reason: 'putShelf does not refuse the request of the other user',
    },
    'removeShelf/ownership/remove': found,
    'removeShelf/ownership/refused': found,
    'listBooks/ownership/list': found,
    'getBook/ownership/read': found,
    'removeBook/ownership/remove': found,
    'removeBook/ownership/refused': found,
  })
})

test('a mock that keeps the data of all tokens together has nothing to break', async () => {
  const contract = await plantContract()
  const breaks = 'getPlant/ownership/read'
  await expect(createMock({ contract, stateful: true, breaks })).rejects.toThrow(MutantError)
  await expect(createMock({ contract, stateful: true, breaks })).rejects.toThrow('without --per-token')
})
