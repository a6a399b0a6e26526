import { Argument, Command, Option } from 'commander'
import type { BaselineFlags } from '../handlers/run-baseline.ts'
import { path } from '../options/parse.ts'

export const baselineCommand = (leave: (code: number) => void): Command =>
  new Command('baseline')
    .summary('accept what a run found broken, to adopt a server as it is')
    .description(
      'Writes what a recorded run found broken as a baseline for verify --baseline. Where the file is there already it only shrinks: what is mended leaves it, and what is new is told and not taken in, but with --grow.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'the baseline, YAML or JSON')
        .argParser(path)
        .default('plantstore.baseline.yaml'),
    )
    .addOption(new Option('--grow', 'take in what is new as well'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: BaselineFlags) => {
      const { runBaseline } = await import('../handlers/run-baseline.ts')
      leave(runBaseline(file, flags))
    })

const examples = `
Examples:
  plantstore baseline plantstore-report/ledger.ndjson
  plantstore verify http://127.0.0.1:4010 --baseline plantstore.baseline.yaml

Exit codes: 0 written · 1 something new is broken and was not taken in · 2 usage or configuration
`
