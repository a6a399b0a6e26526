import { availableParallelism } from 'node:os'
import { Command, Option } from 'commander'
import type { SelftestFlags } from '../handlers/run-selftest.ts'
import { configOptions } from '../options/config-flags.ts'
import { each, text, whole } from '../options/parse.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const selftestCommand = (leave: (code: number) => void): Command => {
  const command = new Command('selftest')
    .summary('break each obligation in turn, and see that verify finds it')
    .description(
      'Starts the mock once for each obligation, breaks that one alone, and verifies it. The kill matrix tells which were found by their own name, which only by others, and which were missed.',
    )
  for (const option of [...specOptions(), ...configOptions()]) command.addOption(option)
  return command
    .addOption(
      new Option(
        '--only <pattern>',
        'break these obligations only: an id, its beginning, or with *',
      ).argParser(each(text)),
    )
    .addOption(unauthenticatedOption('how the mock answers missing or wrong credentials'))
    .addOption(new Option('--seed <n>', 'seed of every run').argParser(whole(0, 2 ** 31 - 1)).default(1))
    .addOption(new Option('--cases <n>', 'cases of each run').argParser(whole(1, 1_000_000)).default(600))
    .addOption(
      new Option('--workers <n>', 'runs at the same time')
        .argParser(whole(1, 64))
        .default(availableParallelism(), 'one a core'),
    )
    .addOption(
      new Option('--format <format>', 'how to print the matrix')
        .choices(['text', 'markdown', 'json'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (flags: SelftestFlags) => {
      const { runSelftest } = await import('../handlers/run-selftest.ts')
      leave(await runSelftest(flags))
    })
}

const examples = `
Examples:
  plantstore selftest
  plantstore selftest --only createPlant/auth
  plantstore selftest --spec my-service.openapi.yaml --format markdown

Exit codes: 0 all found by their own name, and by no other · 1 not so
`
