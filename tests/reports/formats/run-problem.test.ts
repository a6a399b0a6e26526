/** A run that did not happen, or did not end, is red in every format that has tests or problems. */
import { expect, test } from 'vitest'
import { exitCodeOf } from '../../../cli/process/exit-of-run.ts'
import { folders, reports } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { runs } from '../runs.ts'

/** A run against a server that is not there: nothing was tested. */
const unreachable = foldLedger(
  runs.conformant.map(event =>
    event.type === 'verdict'
      ? {
          ...event,
          verdict: {
            kind: 'untested',
            cause: 'interrupt',
            reason: 'the target could not be reached',
          } as const,
        }
      : event.type === 'end'
        ? ({
            ...event,
            conclusion: 'inconclusive',
            stopped: 'unreachable',
            reason: 'connect ECONNREFUSED',
            cases: 0,
          } as const)
        : event,
  ),
)

/** A run that was interrupted after the first case of every requirement: nothing was left out, but it did not end. */
const interrupted = foldLedger(
  runs.conformant.map(event =>
    event.type === 'end' ? ({ ...event, conclusion: 'partial', stopped: 'interrupt' } as const) : event,
  ),
)

test.each([
  ['an unreachable server', unreachable],
  ['an interrupted run', interrupted],
  ['a run that was cut off', foldLedger(runs.cutOff)],
  ['an inconclusive run', foldLedger(runs.inconclusive)],
  ['a partial run', foldLedger(runs.partial)],
] as const)('%s is red in JUnit, CTRF, Allure, GitLab, GitHub and SARIF', (_, ledger) => {
  expect(reports.junit.write(ledger)).toMatch(/<testcase [^>]*name="the run"[^>]*>\s*<error /)
  expect(Number(/<testsuite [^>]*errors="(\d+)"/.exec(reports.junit.write(ledger))?.[1])).toBeGreaterThan(0)
  const { results } = JSON.parse(reports.ctrf.write(ledger))
  expect(results.summary.failed).toBeGreaterThan(0)
  expect(results.tests[0]).toMatchObject({ name: 'the run', status: 'failed' })
  const allure = folders.allure.write(ledger).filter(({ name }) => name.endsWith('-result.json'))
  expect(allure.map(({ text }) => JSON.parse(text))).toContainEqual(
    expect.objectContaining({ name: 'the run', status: 'broken' }),
  )
  expect(JSON.parse(reports.gitlab.write(ledger))[0]).toMatchObject({
    check_name: 'run',
    severity: 'blocker',
  })
  expect(reports.github.write(ledger)).toMatch(/^::error /)
  const [log] = JSON.parse(reports.sarif.write(ledger)).runs
  expect(log.results[0]).toMatchObject({ ruleId: 'run', level: 'error' })
  expect(log.invocations[0].executionSuccessful).toBe(false)
})

test('an interrupted run exits with 4, and with 0 only if a partial run was asked for', () => {
  expect([exitCodeOf(interrupted, 1), exitCodeOf(interrupted, 0)]).toEqual([4, 0])
})

test('a run that could judge has no test and no problem of its own', () => {
  for (const name of ['conformant', 'fiveFailures', 'accepted'] as const)
    for (const format of ['junit', 'ctrf', 'gitlab', 'sarif'] as const)
      expect(reports[format].write(foldLedger(runs[name]))).not.toMatch(/the run"|"run"/)
})
