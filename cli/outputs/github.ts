import { appendFileSync } from 'node:fs'
import { reports } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { print } from './terminal.ts'

/**
 * Shows a run in GitHub Actions: annotations are read from standard output, the summary of the step from a file that
 * the environment names. Gives the problems, one line each.
 */
export const showOnGithub = (ledger: Ledger): readonly string[] => {
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
