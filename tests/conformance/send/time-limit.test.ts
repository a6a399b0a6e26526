import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createTimeLimit } from '../../../conformance/send/transport/time-limit.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'

test('the whole time is given until the server has hung three times', () => {
  const limit = createTimeLimit(5000)
  limit.responded(12)
  limit.hung()
  limit.hung()
  expect(limit.current()).toBe(5000)
  limit.hung()
  expect(limit.current()).toBe(300)
})

test('then it is many times what the slowest response took, and never more than the whole time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000)), fc.integer({ min: 1, max: 20_000 }), (times, most) => {
      const limit = createTimeLimit(most)
      times.forEach(limit.responded)
      for (let hangs = 0; hangs < 3; hangs++) limit.hung()
      const slowest = Math.max(0, ...times)
      expect(limit.current()).toBeLessThanOrEqual(most)
      expect(limit.current()).toBeGreaterThanOrEqual(Math.min(most, slowest))
    }),
  )
})

test('a run on a server that hangs on all that is invalid waits the whole time for the first hangs only', async () => {
  await during(
    storeWith({ respond: reply => (reply.cause === 'none' ? reply : undefined) }),
    async ({ url, token }) => {
      const { findings, end } = await verify({
        target: url,
        token,
        contract: contracts.plantStore,
        seed: 3,
        cases: 300,
        sustained: 0,
        timeoutMs: 8000,
      })
      expect(end?.conclusion).toBe('nonconformant')
      const waits = findings.flatMap(({ actual }) => /within (\d+) ms/.exec(actual)?.[1] ?? []).map(Number)
      expect(waits.length).toBeGreaterThan(0)
      // How much less depends on how busy the machine is: a response of 0.8 s would make it the whole time.
      expect(Math.min(...waits)).toBeLessThan(8000)
    },
  )
})
