import { readFileSync, writeFileSync } from 'node:fs'
import { Argument, Command, Option } from 'commander'
import { type FormatName, formatNames, readLedger, reports, terminal } from '../reports/index.ts'
import { foldLedger, type Ledger } from '../spec/index.ts'
import { exitCodeOf, UsageError } from './exit.ts'
import { colourOf, print } from './terminal.ts'

type Flags = { readonly format: FormatName; readonly out?: string; readonly verbose?: boolean }

export const reportCommand = (leave: (code: number) => void): Command =>
  new Command('report')
    .summary('tell a recorded run again')
    .description(
      'Tells a recorded run again, in any format: the same ledger gives the same bytes. Leaves with the run’s own code.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--format <format>', 'how to tell it').choices([...formatNames]).default('terminal'),
    )
    .addOption(new Option('--out <file>', 'write to a file (default: standard output)'))
    .addOption(new Option('-v, --verbose', 'every obligation with its verdict (terminal only)'))
    .action((file: string, flags: Flags) => {
      const ledger = ledgerFrom(file)
      const text =
        flags.format === 'terminal'
          ? terminal(ledger, {
              colour: flags.out === undefined && colourOf(process.stdout),
              verbosity: flags.verbose === true ? 'verbose' : 'normal',
              ledger: file,
              report: null,
            })
          : reports[flags.format].write(ledger)
      if (flags.out === undefined) process.stdout.write(text)
      else write(flags.out, text)
      leave(exitCodeOf(ledger))
    })

const write = (file: string, text: string): void => {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --out`,
    )
  }
  print(`written: ${file}`)
}

/** Reads a ledger from disk. */
export const ledgerFrom = (file: string): Ledger => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give the ledger.ndjson of a run`,
    )
  }
  return foldLedger(readLedger(text))
}
