import { Argument, Command, Option } from 'commander'
import type { PinFlags } from '../handlers/pin.ts'
import { path } from '../options/parse.ts'

export const pinCommand = (exit: (code: number) => void): Command =>
  new Command('pin')
    .summary('require the observed answers from now on (verify --pins)')
    .description(
      'Writes the observed answers to open questions of the contract into a file for verify --pins: from then on, another answer is a failure. If the file exists, new questions are added and its own entries stay.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'the pins (YAML or JSON)').argParser(path).default('plantstore.pins.yaml'),
    )
    .addOption(new Option('--overwrite', 'replace the file instead of adding to it'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: PinFlags) => {
      const { runPin } = await import('../handlers/pin.ts')
      exit(runPin(file, flags))
    })

const examples = `
Examples:
  plantstore pin plantstore-report/ledger.ndjson
  plantstore verify http://127.0.0.1:4010 --pins plantstore.pins.yaml

Exit codes: 0 written · 2 usage or configuration, or nothing was observed
`
