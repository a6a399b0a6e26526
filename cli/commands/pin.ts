import { Argument, Command, Option } from 'commander'
import type { PinFlags } from '../handlers/run-pin.ts'
import { path } from '../options/parse.ts'

export const pinCommand = (leave: (code: number) => void): Command =>
  new Command('pin')
    .summary('hold the observed answers to the open questions from now on')
    .description(
      'Writes how a recorded run saw the open questions of the contract answered, for verify --pins: another answer is a broken promise then. Where the file is there already, questions that are not in it are added, and its own stay as they are.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addOption(
      new Option('--out <file>', 'the pins, YAML or JSON').argParser(path).default('plantstore.pins.yaml'),
    )
    .addOption(new Option('--anew', 'take no account of what the file holds'))
    .addHelpText('after', examples)
    .action(async (file: string, flags: PinFlags) => {
      const { runPin } = await import('../handlers/run-pin.ts')
      leave(runPin(file, flags))
    })

const examples = `
Examples:
  plantstore pin plantstore-report/ledger.ndjson
  plantstore verify http://127.0.0.1:4010 --pins plantstore.pins.yaml

Exit codes: 0 written · 2 usage or configuration, or nothing was observed
`
