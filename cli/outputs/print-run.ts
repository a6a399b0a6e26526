import { terminal } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import type { AnyFormat } from '../options/formats.ts'
import { exitCodeOf, exitCodes } from '../process/exit.ts'
import { showOnGithub } from './github.ts'
import type { Output } from './output.ts'
import { colourOf, print, say } from './terminal.ts'

export type TellFlags = {
  readonly report: readonly AnyFormat[]
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** Tells a run on the terminal, and what could not be written of it; gives the exit code. */
export const tell = (
  ledger: Ledger,
  output: Output,
  flags: TellFlags,
  problems: readonly string[],
): number => {
  const onGithub = flags.report.includes('github') ? showOnGithub(ledger) : []
  const report = flags.report.includes('html') ? output.path('html') : flags.report.map(output.path)[0]
  const verbosity = flags.quiet === true ? 'quiet' : flags.verbose === true ? 'verbose' : 'normal'
  print(
    terminal(ledger, {
      colour: colourOf(process.stdout),
      verbosity,
      ledger: output.ledger,
      report: report ?? null,
    }),
  )
  for (const problem of [...problems, ...onGithub]) say(problem)
  return problems.length + onGithub.length > 0 ? exitCodes.usage : exitCodeOf(ledger)
}
