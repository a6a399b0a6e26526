import { availableParallelism } from 'node:os'
import { Command, Option } from 'commander'
import type { SelftestFlags } from '../handlers/selftest.ts'
import { each, integer, text } from '../options/parse.ts'
import { configOptions, specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const selftestCommand = (exit: (code: number) => void): Command => {
  const command = new Command('selftest')
    .summary('check that verify finds each broken obligation')
    .description(
      'Mutation testing of verify: for each obligation it starts a mock that breaks only that one, and verifies it. The kill matrix shows which mutants were found by their own obligation, which only by others, and which survived.',
    )
  for (const option of [
    ...specOptions(),
    ...configOptions(),
    new Option(
      '--only <pattern>',
      'break only these obligations: an id, its beginning, or a pattern with *; repeatable',
    ).argParser(each(text)),
    unauthenticatedOption('how the mock answers missing or wrong credentials'),
    new Option('--seed <n>', 'seed of every run').argParser(integer(0, 2 ** 31 - 1)).default(1),
    new Option('--cases <n>', 'test cases of each run').argParser(integer(1, 1_000_000)).default(600),
    new Option('--workers <n>', 'parallel runs')
      .argParser(integer(1, 64))
      .default(availableParallelism(), 'one per core'),
    new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'),
  ])
    command.addOption(option)
  return command.addHelpText('after', examples).action(async (flags: SelftestFlags) => {
    const { runSelftest } = await import('../handlers/selftest.ts')
    exit(await runSelftest(flags))
  })
}

const examples = `
Examples:
  plantstore selftest
  plantstore selftest --only createPlant/auth
  plantstore selftest --spec my-service.openapi.yaml --format markdown

Exit codes: 0 each mutant was found by its own obligation and no other · 1 some were not
`
