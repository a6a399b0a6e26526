import { Argument, Command, Option } from 'commander'
import { testFormats } from '../../reports/defaults.ts'
import type { ReplayFlags } from '../handlers/replay.ts'
import { otherUserOptions } from '../options/selection-flags.ts'
import { server } from '../options/server-flags.ts'
import { configOptions, specOptions } from '../options/spec-flags.ts'
import { tokenOptions } from '../options/token-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'

export const replayCommand = (exit: (code: number) => void): Command => {
  const command = new Command('replay')
    .summary('send one recorded test case again')
    .description(
      'Sends one test case of a recorded run again, to the same or another server, and judges the new response. If the request creates something, it is sent with a fresh id.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addArgument(new Argument('<id>', 'the id of a finding or a test case'))
  for (const option of [
    ...specOptions(),
    ...configOptions(),
    new Option('--target <url>', 'another server').argParser(server),
    new Option('--cause', 'send all findings of the same cause again, up to 20'),
    new Option(
      '--as <tool>',
      'print the finding as a test of another tool that fails until it is fixed; sends nothing',
    )
      .choices(testFormats)
      .conflicts('cause'),
    ...tokenOptions('a valid token (or PLANTSTORE_TOKEN)'),
    ...otherUserOptions(),
    ...transportOptions().filter(({ long }) => long !== '--rate'),
  ])
    command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (file: string, id: string, flags: ReplayFlags, self: Command) => {
      const { runReplay } = await import('../handlers/replay.ts')
      exit(await runReplay(file, id, flags, self))
    })
}

const examples = `
Examples:
  plantstore replay plantstore-report/ledger.ndjson 7f3
  plantstore replay plantstore-report/ledger.ndjson 7f3 --cause
  plantstore replay plantstore-report/ledger.ndjson 7f3 --as pytest > test_null.py
  plantstore replay plantstore-report/ledger.ndjson 7f3 --target http://127.0.0.1:4010 --token secret

Exit codes: 0 passed · 1 failed · 2 usage or configuration · 3 unusable document ·
            4 no response · 5 internal error
`
