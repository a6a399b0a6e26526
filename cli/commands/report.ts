import { Argument, Command, Option } from 'commander'
import type { ReportFlags } from '../handlers/run-report.ts'
import { anyFormats } from '../options/formats.ts'

export const reportCommand = (leave: (code: number) => void): Command =>
  new Command('report')
    .summary('tell a recorded run again')
    .description(
      'Tells a recorded run again, in any format: the same ledger gives the same bytes. Leaves with the run’s own code.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(new Option('--format <format>', 'how to tell it').choices([...anyFormats]).default('terminal'))
    .addOption(
      new Option('--out <file>', 'write to a file, or for allure to a folder (default: standard output)'),
    )
    .addOption(new Option('-v, --verbose', 'every obligation with its verdict (terminal only)'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: ReportFlags) => {
      const { runReport } = await import('../handlers/run-report.ts')
      leave(runReport(file, flags))
    })

const examples = `
Examples:
  plantstore report plantstore-report/ledger.ndjson
  plantstore report plantstore-report/ledger.ndjson --format junit --out junit.xml
`
