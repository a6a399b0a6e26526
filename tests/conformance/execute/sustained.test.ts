import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { brokenStore, storeWith } from '../../cli/servers.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'

test.each([
  ['none', 0, 0],
  ['as many as requested', 50, 50],
  ['by default 1.5 for each case', undefined, 450],
])('sustained load follows the planned cases: %s', async (_, sustained, sent) => {
  let requests = 0
  const { url, token, close } = await storeWith({
    respond: response => {
      requests += 1
      return response
    },
  })
  try {
    const run = { target: url, token, seed: 5, cases: 300 } as const
    const ledger = await verify(sustained === undefined ? run : { ...run, sustained })
    // Waves of valid requests follow, of one to sixteen.
    const waves = sent === 0 ? 0 : 52
    // A few more requests check that the server responds, before the cases and after the load.
    expect(requests - 300 - sent - waves).toBeGreaterThanOrEqual(0)
    expect(requests - 300 - sent - waves).toBeLessThan(20)
    expect(conclusionSoFar(ledger)).toBe('conformant')
    const drift = ledger.entries.find(({ obligation }) => obligation.id === 'createPlant/stability/drift')
    expect(drift?.verdict.kind).toBe('passed')
  } finally {
    await close()
  }
})

test('what is sent to a server that fails does not depend on how many requests are in flight', async () => {
  const counts = []
  for (const concurrency of [1, 3, 16]) {
    const { url, token, close } = await brokenStore('announces-text')
    const { entries } = await verify({ target: url, token, seed: 5, cases: 300, concurrency }).finally(close)
    counts.push(entries.map(({ verdict }) => ('cases' in verdict ? verdict.cases : 0)))
  }
  expect(counts[1]).toEqual(counts[0])
  expect(counts[2]).toEqual(counts[0])
})
