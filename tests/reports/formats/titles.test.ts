/** A finding is titled by what went wrong, in every format. A reader who sees a red mark must not read the opposite beside it. */

import { expect, test } from 'vitest'
import {
  createProgress,
  diffJson,
  diffMarkdown,
  diffOf,
  diffText,
  type FormatName,
  folders,
  formatNames,
  reports,
  terminal,
} from '../../../reports/index.ts'
import { type Finding, foldLedger, type RunEvent } from '../../../spec/index.ts'
import { runs } from '../runs.ts'

// The titles of the run with hostile texts are escaped, differently in each format.
const { hostile: _hostile, ...plainRuns } = runs
const cases = Object.entries(plainRuns).flatMap(([name, run]) =>
  // Workflows are what worked, and name no finding.
  formatNames.filter(format => format !== 'arazzo').map(format => [name, format, run] as const),
)

/** A text without the markup of its format: what a reader reads. */
const readable = (format: FormatName, text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll(format === 'trace' ? '""' : '\\"', '"')
    .replaceAll('\\`', '`')

const findingsOf = (run: readonly RunEvent[]): readonly Finding[] =>
  run.filter(event => event.type === 'finding')
const requirementOf = (run: readonly RunEvent[], id: string): string =>
  foldLedger(run).start.obligations.find(obligation => obligation.id === id)?.requirement ?? ''

/** Expects a title, and its requirement after it. */
const expectBefore = (text: string, title: string, requirement: string): void => {
  const at = text.indexOf(title)
  expect(at, `${title} is missing`).toBeGreaterThanOrEqual(0)
  expect(text.indexOf(requirement, at), `${requirement} does not follow`).toBeGreaterThan(at)
}

test.each(cases)(
  'run %s, format %s: each title is there, and its requirement after it',
  (_name, format, run) => {
    const text = readable(format, reports[format].write(foldLedger(run)))
    for (const { title, obligation } of findingsOf(run)) {
      // The terminal shows excused findings with title and reason; annotations show only what counts.
      const isExcused = foldLedger(run).entries.some(
        ({ obligation: { id }, verdict }) =>
          id === obligation && (verdict.kind === 'waived' || verdict.kind === 'baselined'),
      )
      if (isExcused && (format === 'github' || format === 'agent')) continue
      // It has little room: the first causes in full, the others by their titles.
      if (format === 'agent') {
        expect(text).toContain(title)
        continue
      }
      if (isExcused && format === 'terminal') expect(text).toContain(`${title} (${obligation})`)
      else expectBefore(text, title, requirementOf(run, obligation))
    }
  },
)

/** The texts that a format shows as the titles of what failed. */
const failedTitles: Readonly<Record<string, (text: string) => readonly string[]>> = {
  terminal: text => [...text.matchAll(/^ {2}[✗!] (.*)$/gm)].map(([, title = '']) => title),
  junit: text => [...text.matchAll(/<failure message="([^"]*)"/g)].map(([, title = '']) => title),
  html: text => [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title = '']) => title),
  record: text => [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title = '']) => title),
  markdown: text => [...text.matchAll(/^### \d+\. (.*)$/gm)].map(([, title = '']) => title),
  github: text => [...text.matchAll(/^::(?:error|warning) title=([^,]*)/gm)].map(([, title = '']) => title),
  sarif: text =>
    JSON.parse(text).runs[0].results.map((result: { message: { text: string } }) =>
      result.message.text.split('\n', 1).join(),
    ),
  gitlab: text =>
    JSON.parse(text).map(
      ({ description }: { description: string }) => description.split('. Requirement:')[0],
    ),
  ctrf: text =>
    JSON.parse(text)
      .results.tests.filter(({ status }: { status: string }) => status === 'failed')
      .map(({ message }: { message: string }) => message),
}

test.each(
  Object.entries(plainRuns).flatMap(([name, run]) =>
    Object.keys(failedTitles).map(format => [name, format as FormatName, run] as const),
  ),
)('run %s, format %s: no requirement is the title of a failure', (_name, format, run) => {
  const ledger = foldLedger(run)
  const titles = failedTitles[format]?.(reports[format].write(ledger)) ?? []
  const count = ledger.entries.filter(({ verdict }) => verdict.kind === 'failed').length
  if (count > 0) expect(titles.length).toBeGreaterThan(0)
  for (const title of titles.map(text => readable(format, text)))
    for (const { requirement } of ledger.start.obligations) expect(title).not.toContain(requirement)
})

test.each(Object.entries(plainRuns))(
  'run %s, Allure: a failed test is named by what went wrong',
  (_name, run) => {
    const ledger = foldLedger(run)
    const results = folders.allure
      .write(ledger)
      .filter(({ name }) => name.endsWith('-result.json'))
      .map(({ text }) => JSON.parse(text) as { fullName: string; name: string; description: string })
    for (const { obligation, verdict } of ledger.entries) {
      const result = results.find(({ fullName }) => fullName === obligation.id)
      const finding = ledger.findings.find(each => each.obligation === obligation.id)
      if ('finding' in verdict && finding !== undefined) expect(result?.name).toContain(finding.title)
      if (verdict.kind === 'passed') expect(result?.name).toBe(obligation.requirement)
      expect(result?.description).toContain(obligation.requirement)
    }
  },
)

test('lists of all requirements say what went wrong beside a failed one, and then what is required', () => {
  const ledger = foldLedger(runs.fiveFailures)
  const rows = reports.html.write(ledger).match(/<tr id=.*?<\/tr>/gs) ?? []
  const text = terminal(ledger, {
    colour: false,
    verbosity: 'verbose',
    ledger: 'ledger.ndjson',
    report: null,
  })
  for (const { obligation, verdict } of ledger.entries) {
    const row = readable('html', rows.find(each => each.includes(`id="${obligation.id}"`)) ?? '')
    const finding = ledger.findings.find(each => each.obligation === obligation.id)
    if (finding !== undefined) {
      expectBefore(row, finding.title, `Requirement: ${obligation.requirement}`)
      expect(text).toContain(`${finding.title}\n                 requirement: ${obligation.level} · `)
    } else if (verdict.kind !== 'failed') {
      expect(row).toContain(`<p>${obligation.requirement}</p>`)
      expect(row).not.toContain('Requirement:')
    }
  }
})

test('a passed requirement is shown unchanged', () => {
  const ledger = foldLedger(runs.conformant)
  const text = terminal(ledger, {
    colour: false,
    verbosity: 'verbose',
    ledger: 'ledger.ndjson',
    report: null,
  })
  for (const { requirement } of ledger.start.obligations) expect(text).toContain(requirement)
})

test('progress and diff title findings in the same way', () => {
  const lines: string[] = []
  const progress = createProgress({
    write: text => lines.push(text),
    isTty: false,
    colour: false,
    columns: 100,
    now: () => 0,
  })
  for (const event of runs.fiveFailures) progress.event(event)
  const diff = diffOf(foldLedger(runs.conformant), foldLedger(runs.fiveFailures))
  const text = diffText(diff, { colour: false, all: true })
  for (const { title, obligation } of findingsOf(runs.fiveFailures)) {
    const requirement = requirementOf(runs.fiveFailures, obligation)
    expect(lines.join('')).toMatch(new RegExp(`^(failed|warning) +${RegExp.escape(title)} \\(`, 'm'))
    expectBefore(text, title, requirement)
    expectBefore(readable('markdown', diffMarkdown(diff)), title, requirement)
    expect(JSON.parse(diffJson(diff)).newFailures).toContainEqual(
      expect.objectContaining({ id: obligation, title, requirement }),
    )
  }
})
