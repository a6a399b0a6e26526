import { defineConfig, type ReporterDescription } from 'playwright/test'

// Run by tests/playwright-runner/scale-out.test.ts, which names the built runner, server, output and reporter.
const { PLANTSTORE_RUNNER = '', PLANTSTORE_URL, PLANTSTORE_OUT, PLANTSTORE_RETRIES } = process.env

const reporter: ReporterDescription[] = [[PLANTSTORE_RUNNER, { out: PLANTSTORE_OUT, report: ['json'] }]]

export default defineConfig({
  testDir: '.',
  workers: 2,
  retries: Number(PLANTSTORE_RETRIES ?? 0),
  reporter,
  use: { baseURL: PLANTSTORE_URL },
})
