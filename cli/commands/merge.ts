import { Argument, Command } from 'commander'
import type { MergeFlags } from '../handlers/run-merge.ts'
import { configOptions } from '../options/config-flags.ts'
import { loudnessOptions, outOption, reportOption } from '../options/output-flags.ts'
import { specOptions } from '../options/spec-flags.ts'

export const mergeCommand = (leave: (code: number) => void): Command => {
  const command = new Command('merge')
    .summary('put the shards of a run together, and judge')
    .description(
      'Puts together what the shards of one plan have written (verify --shard): the same ledger, verdicts and request digest as one run. Where a shard is missing it names its cells and leaves with 4.',
    )
    .addArgument(new Argument('<parts...>', 'files of shards, or folders that hold them'))
  for (const option of [
    ...specOptions(),
    ...configOptions(),
    reportOption(),
    outOption(),
    ...loudnessOptions(),
  ])
    command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (parts: readonly string[], flags: MergeFlags) => {
      const { runMerge } = await import('../handlers/run-merge.ts')
      leave(await runMerge(parts, flags))
    })
}

const examples = `
Examples:
  plantstore verify http://127.0.0.1:4010 --seed 7 --shard 1/4 --out parts
  plantstore merge parts                     after all four, with their files in one folder
`
