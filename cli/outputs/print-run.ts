import { terminal } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import type { AnyFormat } from '../options/formats.ts'
import { minTestedOf, type PartialFlags } from '../options/output-flags.ts'
import { exitCodeOf, exitCodes } from '../process/exit.ts'
import { isColoured, print, say } from '../process/terminal.ts'
import { showOnGithub } from './github.ts'
import type { Output } from './output.ts'

export type PrintFlags = PartialFlags & {
  readonly report: readonly AnyFormat[]
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** Prints a run, and the problems with its files; returns the exit code. */
export const printRun = (
  ledger: Ledger,
  output: Output,
  flags: PrintFlags,
  problems: readonly string[],
): number => {
  const { report, quiet, verbose } = flags
  const githubProblems = report.includes('github') ? showOnGithub(ledger) : []
  print(
    terminal(ledger, {
      colour: isColoured(process.stdout),
      verbosity: quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'normal',
      ledger: output.ledger,
      report: report.includes('html') ? output.path('html') : (report.map(output.path)[0] ?? null),
    }),
  )
  for (const problem of [...problems, ...githubProblems]) say(problem)
  return problems.length + githubProblems.length > 0
    ? exitCodes.usage
    : exitCodeOf(ledger, minTestedOf(flags))
}
