import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { storeWith } from '../../cli/servers.ts'

test.each([
  ['none', 0, 0],
  ['as many as the run is given', 50, 50],
  ['by default 1.5 for each case', undefined, 450],
])('sustained load follows the planned cases: %s', async (_, sustained, sent) => {
  let requests = 0
  const { url, token, close } = await storeWith({
    respond: answer => {
      requests += 1
      return answer
    },
  })
  try {
    const run = { target: url, token, seed: 5, cases: 300 } as const
    const { end, entries } = await verify(sustained === undefined ? run : { ...run, sustained })
    // Beside these there are a few requests that look whether the server is there, before the cases and after the load.
    expect(requests - 300 - sent).toBeGreaterThanOrEqual(0)
    expect(requests - 300 - sent).toBeLessThan(20)
    expect(end?.conclusion).toBe('conformant')
    const drift = entries.find(({ obligation }) => obligation.id === 'createPlant/stability/drift')
    expect(drift?.verdict.kind).toBe('passed')
  } finally {
    await close()
  }
})
