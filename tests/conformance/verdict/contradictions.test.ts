/** A ledger that was changed by hand contradicts itself: the verdicts are not all that would have to be changed. */
import { beforeAll, expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { contradictionsIn, type Ledger } from '../../../spec/index.ts'
import { during } from '../../cli/command.ts'
import { brokenStore } from '../../cli/servers.ts'

const absent = 'createPlant/auth/absent'
let ledger: Ledger

beforeAll(async () => {
  ledger = await during(brokenStore('checks-no-credentials'), ({ url, token }) =>
    verify({ target: url, token, seed: 1, cases: 300, sustained: 0 }),
  )
})

/** Every failure is said to have passed. */
const whitewashed = (run: Ledger): Ledger => ({
  ...run,
  entries: run.entries.map(({ obligation, verdict }) => ({
    obligation,
    verdict: verdict.kind === 'failed' ? { kind: 'passed', cases: verdict.cases } : verdict,
  })),
  end: run.end === null ? null : { ...run.end, conclusion: 'conformant' },
})

test('the ledger of a run does not contradict itself', () => {
  expect(ledger.findings.length).toBeGreaterThan(0)
  expect(contradictionsIn(ledger)).toEqual([])
})

test('verdicts that were changed are contradicted by exchanges and findings', () => {
  const forged = whitewashed(ledger)
  const text = contradictionsIn(forged).join('\n')
  expect(text).toMatch(new RegExp(`^${absent} passed, but the exchange [0-9a-f]+ shows that it failed$`, 'm'))
  expect(text).toMatch(new RegExp(`^${absent} passed, but the finding [0-9a-f]+ is that it failed$`, 'm'))
  const withoutFindings = {
    ...forged,
    findings: [],
    exchanges: forged.exchanges.map(each => ({ ...each, failed: [] })),
  }
  expect(contradictionsIn(withoutFindings).join('\n')).toMatch(
    new RegExp(`^${absent} passed, but the exchange [0-9a-f]+ shows that it failed$`, 'm'),
  )
})

test('a finding that was removed, and a conclusion that was changed, are contradicted', () => {
  expect(contradictionsIn({ ...ledger, findings: [] })).toContainEqual(
    expect.stringMatching(new RegExp(`^${absent} failed by the finding [0-9a-f]+, which is missing$`)),
  )
  const end = ledger.end === null ? null : ({ ...ledger.end, conclusion: 'accepted' } as const)
  expect(contradictionsIn({ ...ledger, end })).toEqual([
    'the conclusion is accepted, but the contract needs 1500 cases, and the run had 300',
    'the conclusion is accepted, but a requirement that counts failed',
  ])
})
