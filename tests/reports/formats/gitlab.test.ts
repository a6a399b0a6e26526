import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { finding } from '../fixture.ts'
import { anyLedger, causesIn } from '../ledgers.ts'
import { runs } from '../runs.ts'

// There is no package with a schema of this format: this one states what GitLab documents, and no more.
const text = { type: 'string', minLength: 1 }
const validate = new Ajv2020({ strict: true, allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: text,
      check_name: text,
      fingerprint: text,
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          // Relative to the repository, without a leading `../`.
          path: { type: 'string', minLength: 1, not: { pattern: '^\\./' } },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
})

type Issue = {
  description: string
  check_name: string
  severity: string
  fingerprint: string
  location: object
}

const read = (text: string): readonly Issue[] => {
  const issues: unknown = JSON.parse(text)
  expect(validate(issues), JSON.stringify(validate.errors)).toBe(true)
  return issues as readonly Issue[]
}
const issuesOf = (events: readonly RunEvent[]) => read(reports.gitlab.write(foldLedger(events)))
const severityOf = (events: readonly RunEvent[], id: string): string | undefined =>
  issuesOf(events).find(issue => issue.check_name === `createPlant/${id}`)?.severity

test.each(Object.entries(runs))('the run %s is as GitLab documents it', (_name, run) => {
  issuesOf(run)
})

test('a run without findings is an empty list', () => {
  expect(issuesOf(runs.conformant)).toEqual([])
})

test('a finding is at its line, and its severity shows whether it counts', () => {
  expect(issuesOf(runs.fiveFailures)[0]).toMatchObject({
    check_name: 'createPlant/request/body/id/type',
    severity: 'critical',
    location: { path: 'plant-store.openapi.yaml', lines: { begin: 49 } },
  })
  expect(severityOf(runs.fiveFailures, 'stability/concurrent')).toBe('major')
  expect(severityOf(runs.fiveFailures, 'response/200/echo/name')).toBe('minor')
  expect(severityOf(runs.strictWarning, 'response/200/echo/name')).toBe('critical')
  expect(severityOf(runs.waived, 'auth/none')).toBe('info')
})

test('fingerprints differ, also of two causes on one obligation: GitLab shows the first of each alone', () => {
  const other = { id: '7ff', title: 'rejected what is right' }
  const issues = issuesOf([...runs.fiveFailures, finding('request/body/id/type', other)])
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(6)
})

test('with any text from a server it stays as documented, with one issue for each cause', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      expect(read(reports.gitlab.write(ledger))).toHaveLength(causesIn(ledger))
    }),
  )
})
