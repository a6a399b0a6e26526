import { appendFileSync } from 'node:fs'
import { createProgress, type Progress, reports, summaryLine, terminal } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { type AnyFormat, minTestedOf, type PartialFlags } from '../options/output-flags.ts'
import { exitCodes } from '../process/exit.ts'
import { exitCodeOf } from '../process/exit-of-run.ts'
import { isColoured, print, printAside, say } from '../process/terminal.ts'
import type { Output } from './output.ts'

export type PrintFlags = PartialFlags & {
  readonly report: readonly AnyFormat[]
  readonly summary?: 'json'
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** Prints a run, and the problems with its files; returns the exit code. `final`: what a signal makes of the code. */
export const printRun = (
  ledger: Ledger,
  output: Output,
  flags: PrintFlags,
  problems: readonly string[],
  final: (exitCode: number) => number = exitCode => exitCode,
): number => {
  const { report, summary, quiet, verbose } = flags
  const show = summary === undefined ? print : printAside
  const githubProblems = report.includes('github') ? showOnGithub(ledger, show) : []
  show(
    terminal(ledger, {
      colour: isColoured(summary === undefined ? process.stdout : process.stderr),
      verbosity: quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'page',
      ledger: output.ledger(),
      report: report.includes('html') ? output.path('html') : (report.map(output.path)[0] ?? null),
    }),
  )
  for (const problem of [...problems, ...githubProblems]) say(problem)
  const exitCode = final(
    problems.length + githubProblems.length > 0 ? exitCodes.usage : exitCodeOf(ledger, minTestedOf(flags)),
  )
  if (summary !== undefined) {
    const paths = Object.fromEntries(report.map(format => [format, output.path(format)]))
    print(summaryLine(ledger, { exitCode, ledger: output.ledger(), reports: paths }))
  }
  return exitCode
}

/**
 * Shows a run in GitHub Actions: annotations, which GitHub reads from both streams, and a step summary in the file that the
 * environment names. Returns the problems, one line each.
 */
const showOnGithub = (ledger: Ledger, print: (text: string) => void): readonly string[] => {
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

/**
 * Shows progress on standard error: a status line on a terminal, plain lines elsewhere. Why a run ends without a test it says at once, as
 * writing the reports may take seconds.
 */
export const startProgress = (): Progress => {
  const progress = createProgress({
    write: text => process.stderr.write(text),
    isTty: process.stderr.isTTY === true && process.env.CI === undefined,
    colour: isColoured(process.stderr),
    columns: process.stderr.columns ?? 80,
    now: () => performance.now(),
  })
  const ticking = setInterval(progress.tick, 1000)
  ticking.unref()
  const stop = (): void => {
    clearInterval(ticking)
    progress.stop()
  }
  return {
    ...progress,
    stop,
    event: event => {
      progress.event(event)
      if (event.type !== 'end' || event.stopped !== 'access' || event.reason === null) return
      stop()
      say(event.reason)
    },
  }
}
