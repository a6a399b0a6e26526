import { expect, test } from 'vitest'
import { coverageOf, foldLedger, type RunEvent, scoreOf, type Verdict } from '../../spec/index.ts'
import { runs } from '../reports/runs.ts'

const scoreOfRun = (run: readonly RunEvent[]): number => scoreOf(foldLedger(run))

test('a conformant run has 100, and one that is cut off before any verdict 0', () => {
  expect(scoreOfRun(runs.conformant)).toBe(100)
  expect(scoreOfRun(runs.conformant.filter(({ type }) => type === 'start'))).toBe(0)
})

const waiver = { obligation: 'createPlant', reason: 'r', owner: 'o', expires: '2999-12-31' }
const others: readonly Verdict[] = [
  { kind: 'untested', cause: 'selection', reason: 'left out' },
  { kind: 'inconclusive', cases: 1, reason: 'it answered 503' },
  { kind: 'failed', cases: 1, finding: '7f3' },
  { kind: 'waived', cases: 1, finding: '7f3', waiver },
  { kind: 'baselined', cases: 1, finding: '7f3', since: '2026-01-01' },
]

test.each(others)('one MUST of 16 that did not pass leaves 93: %j', verdict => {
  const index = runs.conformant.findIndex(({ type }) => type === 'verdict')
  const event = runs.conformant[index] as Extract<RunEvent, { type: 'verdict' }>
  expect(scoreOfRun(runs.conformant.with(index, { ...event, verdict }))).toBe(93)
})

test('a failed SHOULD does not lower it, not even in a strict run', () => {
  expect(foldLedger(runs.strictWarning).end?.conclusion).toBe('nonconformant')
  expect(scoreOfRun(runs.strictWarning)).toBe(100)
})

test('in a strict run, what SHOULD hold counts for the coverage as well', () => {
  const strict = foldLedger(runs.strictWarning)
  const [start] = runs.strictWarning as readonly [Extract<RunEvent, { type: 'start' }>]
  const lenient = foldLedger(
    runs.strictWarning.with(0, { ...start, policies: { ...start.policies, strict: 'false' } }),
  )
  const numberOf = (...levels: readonly string[]): number =>
    strict.entries.filter(({ obligation }) => levels.includes(obligation.level)).length
  expect(numberOf('SHOULD')).toBeGreaterThan(0)
  expect(coverageOf(strict).total).toBe(numberOf('MUST', 'SHOULD'))
  expect(coverageOf(lenient).total).toBe(numberOf('MUST'))
})
