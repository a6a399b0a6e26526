import { Argument, Command, Option } from 'commander'
import type { BaselineFlags } from '../handlers/baseline.ts'
import { path } from '../options/parse.ts'

export const baselineCommand = (exit: (code: number) => void): Command =>
  new Command('baseline')
    .summary('accept the failures of a recorded run (verify --baseline)')
    .description(
      'Writes the failures of a recorded run into a file for verify --baseline. If the file exists, fixed entries are removed; new failures are reported, and added only with --accept-new.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'the baseline (YAML or JSON)')
        .argParser(path)
        .default('plantstore.baseline.yaml'),
    )
    .addOption(new Option('--accept-new', 'add new failures as well'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: BaselineFlags) => {
      const { runBaseline } = await import('../handlers/baseline.ts')
      exit(runBaseline(file, flags))
    })

const examples = `
Examples:
  plantstore baseline plantstore-report/ledger.ndjson
  plantstore verify http://127.0.0.1:4010 --baseline plantstore.baseline.yaml

Exit codes: 0 written, and no new failures were left out · 1 new failures were left out ·
            2 usage or configuration
`
