import { Argument, Command, Option } from 'commander'
import type { ReportFlags } from '../handlers/report.ts'
import { anyFormats, partialOptions } from '../options/output-flags.ts'

export const reportCommand = (exit: (code: number) => void): Command => {
  const command = new Command('report')
    .summary('render a recorded run in any format')
    .description(
      'Renders a recorded run: the same ledger gives the same bytes. The format record is a test record for printing (PDF or HTML). Exits with the code of the run.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(new Option('--format <format>', 'output format').choices([...anyFormats]).default('terminal'))
    .addOption(new Option('--out <file>', 'file to write, for allure a folder (default: standard output)'))
    .addOption(new Option('--paper <size>', 'paper size of a PDF').choices(['A4', 'Letter']).default('A4'))
    .addOption(new Option('-v, --verbose', 'print every obligation with its verdict (terminal only)'))
  for (const option of partialOptions()) command.addOption(option)
  return command.addHelpText('after', examples).action(async (file: string, flags: ReportFlags) => {
    const { runReport } = await import('../handlers/report.ts')
    exit(await runReport(file, flags))
  })
}

const examples = `
Examples:
  plantstore report plantstore-report/ledger.ndjson
  plantstore report plantstore-report/ledger.ndjson --format junit --out junit.xml
  plantstore report plantstore-report/ledger.ndjson --format record --out record.pdf --paper Letter

A PDF needs the package playwright and Chromium or Google Chrome. PLANTSTORE_BROWSER can name
another browser.
`
