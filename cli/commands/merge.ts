import { Argument, Command } from 'commander'
import type { MergeFlags } from '../handlers/merge.ts'
import {
  outOption,
  partialOptions,
  reportOption,
  summaryOption,
  verbosityOptions,
} from '../options/output-flags.ts'
import { configOptions, specOptions } from '../options/spec-flags.ts'

export const mergeCommand = (exit: (code: number) => void): Command => {
  const command = new Command('merge')
    .summary('merge the shards of a run')
    .description(
      'Merges the shard results of one plan (verify --shard) into the ledger, verdicts and reports of one run. Missing shards are listed, and make the run partial.',
    )
    .addArgument(new Argument('<results...>', 'shard result files, or folders that contain them'))
  for (const option of [
    ...specOptions(),
    ...configOptions(),
    ...partialOptions(),
    reportOption(),
    outOption(),
    summaryOption(),
    ...verbosityOptions(),
  ])
    command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (results: readonly string[], flags: MergeFlags) => {
      const { runMerge } = await import('../handlers/merge.ts')
      exit(await runMerge(results, flags))
    })
}

const examples = `
Examples:
  plantstore verify http://127.0.0.1:4010 --seed 7 --shard 1/4 --out shards
  plantstore merge shards                    after all four, with their files in one folder
`
