import { Argument, Command, Option } from 'commander'
import type { ReplayFlags } from '../handlers/run-replay.ts'
import { configOptions } from '../options/config-flags.ts'
import { token } from '../options/parse.ts'
import { server } from '../options/server-target.ts'
import { specOptions } from '../options/spec-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'

export const replayCommand = (leave: (code: number) => void): Command => {
  const command = new Command('replay')
    .summary('send one recorded case again')
    .description(
      'Sends one case of a recorded run again, to the same server or another one, and judges the answer anew. Where a valid request created something, it is sent with a fresh id.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addArgument(new Argument('<id>', 'the id of a finding or a case'))
  for (const option of [...specOptions(), ...configOptions()]) command.addOption(option)
  command
    .addOption(new Option('--target <url>', 'another server than that of the run').argParser(server))
    .addOption(new Option('--token <token>', 'the right token (or PLANTSTORE_TOKEN)').argParser(token))
  for (const option of transportOptions().filter(({ long }) => long !== '--rate')) command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (file: string, id: string, flags: ReplayFlags) => {
      const { runReplay } = await import('../handlers/run-replay.ts')
      leave(await runReplay(file, id, flags))
    })
}

const examples = `
Examples:
  plantstore replay plantstore-report/ledger.ndjson 7f3
  plantstore replay plantstore-report/ledger.ndjson 7f3 --target http://127.0.0.1:4010 --token secret

Exit codes: 0 kept now · 1 broken still · 2 usage or configuration · 3 unusable document ·
            4 no answer · 5 internal error
`
