import { appendFileSync } from 'node:fs'
import { reports } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'

/**
 * Shows a run in GitHub Actions: annotations, which GitHub reads from both streams, and a step summary in the file that the
 * environment names. Returns the problems, one line each.
 */
export const showOnGithub = (ledger: Ledger, print: (text: string) => void): readonly string[] => {
  print(reports.github.write(ledger))
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file === undefined || file === '') return []
  try {
    appendFileSync(file, reports.markdown.write(ledger))
    return []
  } catch (error) {
    return [`the step summary could not be written: ${(error as Error).message}`]
  }
}
