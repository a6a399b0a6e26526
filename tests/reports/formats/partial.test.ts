/** A partial run is never mistaken for a whole one: every format says so. */

import { expect, test } from 'vitest'
import { diffOf, diffText, folders, isWorse, reports, terminal } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { runs } from '../runs.ts'

const ledger = foldLedger(runs.partial)
/** The same run with `--allow-partial`. */
const allowed = foldLedger(
  runs.partial.map(event =>
    event.type === 'start' ? { ...event, policies: { ...event.policies, 'min-tested': '0' } } : event,
  ),
)
const headline = 'PARTIAL: 4 of 21 requirements tested, nothing failed (4 of 16 MUST passed)'
const reason = 'left out by --only or --skip'

test.each(['html', 'record', 'terminal', 'json', 'junit', 'sarif', 'markdown', 'github', 'gitlab'] as const)(
  'the format %s says how much was tested',
  format => {
    expect(reports[format].write(ledger)).toContain(
      format === 'github' ? headline.replaceAll(':', '%3A').replaceAll(',', '%2C') : headline,
    )
  },
)

test.each(['html', 'record', 'terminal', 'junit', 'sarif', 'markdown', 'github', 'ctrf', 'trace'] as const)(
  'the format %s says why the rest was not tested',
  format => {
    expect(reports[format].write(ledger)).toContain(reason)
  },
)

test('no format calls it conformant', () => {
  for (const { write } of Object.values(reports))
    expect(write(ledger).replace(/<style>.*?<\/style>/s, '')).not.toMatch(/(?<!not )conformant\b/i)
})

test('the terminal prints it in yellow, and conformant in green', () => {
  const options = { colour: true, verbosity: 'quiet', ledger: 'ledger.ndjson', report: null } as const
  expect(terminal(ledger, options)).toContain(`\u001b[33m${headline}`)
  expect(terminal(foldLedger(runs.conformant), options)).toContain('\u001b[32mCONFORMANT')
})

test('the page has a special sign and colour', () => {
  const page = reports.html.write(ledger)
  expect(page).toContain('<section class="verdict partial"')
  expect(page).toContain('<span class="seal" aria-hidden="true">◐</span>Partial</h1>')
  expect(page).toContain('A partial run does not show that the server conforms.')
})

test('the record is called partial, and names what was not tested before anything else', () => {
  const page = reports.record.write(ledger)
  expect(page).toContain(`<title>Partial test record · ${headline}`)
  expect(page.indexOf('<h2>Not tested</h2>')).toBeGreaterThan(page.indexOf('</h1>'))
  expect(page.indexOf('<h2>Not tested</h2>')).toBeLessThan(page.indexOf('<h2>What was tested</h2>'))
  expect(page.match(/<h2>Not tested<\/h2>/g)).toHaveLength(1)
})

test('JUnit, CTRF and Allure skip what was not tested, and have the conclusion as a property', () => {
  expect(reports['junit-full'].write(allowed)).toMatch(/<testsuite [^>]*failures="0" errors="0" skipped="18"/)
  const ctrf = JSON.parse(reports.ctrf.write(allowed))
  expect(ctrf.results.summary).toMatchObject({ passed: 4, failed: 0, skipped: 17, other: 1 })
  expect(ctrf.extra).toMatchObject({
    conclusion: 'PARTIAL',
    partial: '4 of 21 requirements tested, nothing failed',
  })
  const environment = folders.allure.write(ledger).find(({ name }) => name === 'environment.properties')
  expect(environment?.text).toContain('conclusion=PARTIAL\n')
})

test.each([
  ['asked for', allowed, 'minor', 'warning', true],
  ['not asked for', ledger, 'blocker', 'error', false],
] as const)(
  'in GitLab, GitHub and SARIF a partial run that was %s is an issue',
  (_, run, severity, level, isSuccess) => {
    expect(JSON.parse(reports.gitlab.write(run))).toMatchObject([
      { check_name: 'run', severity, location: { path: 'plant-store.openapi.yaml' } },
    ])
    expect(reports.github.write(run)).toMatch(new RegExp(`^::${level} title=PARTIAL`))
    const [log] = JSON.parse(reports.sarif.write(run)).runs
    expect(log.results).toMatchObject([{ ruleId: 'run', ruleIndex: 0, level }])
    expect(log.invocations[0]).toMatchObject({
      executionSuccessful: isSuccess,
      toolExecutionNotifications: [{ level, message: { text: expect.stringContaining(headline) } }],
    })
  },
)

test('a diff to a partial run has no new failures, and says that it shows less', () => {
  const text = (old: typeof ledger): string =>
    diffText(diffOf(old, ledger), { colour: false, all: false }).trimEnd().split('\n').at(-1) ?? ''
  expect(text(foldLedger(runs.conformant))).toMatch(
    /^NO NEW FAILURES, BUT 15 REQUIREMENTS ARE NO LONGER JUDGED /,
  )
  expect(text(ledger)).toMatch(/^NO NEW FAILURES, BUT THE NEW RUN IS PARTIAL /)
  expect(isWorse(diffOf(ledger, ledger))).toBe(false)
})

test('failures that do not count are not denied', () => {
  const warned = runs.partial.map(event =>
    event.type === 'verdict' && event.obligation === 'createPlant/auth/none'
      ? {
          ...event,
          verdict: { kind: 'baselined' as const, cases: 4, finding: '7f3', since: '2026-11-02' },
        }
      : event,
  )
  const text = reports.markdown.write(foldLedger(warned))
  expect(text).toContain('PARTIAL: 4 of 21 requirements tested, nothing that counts failed')
  expect(text).toContain('None of them failed, except 1 in the baseline.')
})
