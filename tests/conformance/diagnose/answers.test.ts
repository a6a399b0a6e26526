import { expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { reports } from '../../../reports/index.ts'
import { baselineEntriesOf, type Finding } from '../../../spec/index.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

const above = 'createPlant/request/body/id/format/above'

/** Accepts numbers beyond int64, and crashes on those that a double cannot hold. */
const twoFaults = {
  id: (value: unknown): boolean =>
    lawfulParts.id(value) || typeof value === 'bigint' || Math.abs(Number(value)) === Infinity,
  respond: async (...[response, { bytes }]: Parameters<typeof lawfulParts.respond>) =>
    /"id":-?1e400/.test(bytes.toString())
      ? { ...response, status: 500, body: '{"error":1,"message":"cannot store Infinity"}' }
      : response,
}

const verified = (options: Partial<VerifyOptions> = {}) =>
  during(storeWith(twoFaults), ({ url, token }) =>
    verify({ target: url, token, seed: 7, cases: 1500, sustained: 0, ...options }),
  )

const ofAbove = (findings: readonly Finding[]) => findings.filter(({ obligation }) => obligation === above)

test('an obligation with two different wrong answers has a finding for each, in reports and in a baseline', async () => {
  const ledger = await verified()
  const titles = [
    'answered 500 to an integer above the int64 range as `id` (1e400)',
    'accepted an integer above the int64 range as `id` (1e19)',
  ]
  expect(ofAbove(ledger.findings).map(({ title }) => title)).toEqual(titles)
  const [first, second] = ofAbove(ledger.findings)
  expect(ledger.entries.find(({ obligation }) => obligation.id === above)?.verdict).toMatchObject({
    kind: 'failed',
    finding: first?.id,
  })
  expect(reports.junit.write(ledger)).toMatch(new RegExp(`also +${second?.title.replace(/[()]/g, '.')}`))

  const baseline = baselineEntriesOf(ledger)
  expect(baseline.find(({ obligation }) => obligation === above)?.cause).toBe('answered 200, answered 500')
  const known = await verified({ baseline })
  expect(known.end?.conclusion).toBe('accepted')
  const partly = await verified({
    baseline: baseline.map(entry => ({ ...entry, cause: 'answered 200' })),
  })
  expect(partly.end?.conclusion).toBe('nonconformant')
  expect(partly.entries.find(({ obligation }) => obligation.id === above)?.verdict).toMatchObject({
    kind: 'failed',
    finding: first?.id,
  })
})
