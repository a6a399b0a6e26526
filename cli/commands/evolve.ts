import { Argument, Command, Option } from 'commander'
import type { EvolveFlags } from '../handlers/evolve.ts'
import { usedBy } from '../options/pairs.ts'
import { integer } from '../options/parse.ts'
import { configOptions, specOptions } from '../options/spec-flags.ts'

export const evolveCommand = (exit: (code: number) => void): Command => {
  const command = new Command('evolve')
    .summary('compare two versions of a document')
    .description(
      'Finds what breaks when the new document replaces the old one: requests allowed by the old one are judged by the new one, and responses allowed by the new one by the old one. Each difference has the smallest example.',
    )
    .addArgument(new Argument('<old>', 'the document that clients were written for: file or URL'))
    .addArgument(new Argument('<new>', 'the document that replaces it: file or URL'))
  for (const option of [
    new Option(
      '--old-servers <level>',
      'the level of differences that clients of the new document meet at servers of the old one',
    )
      .choices(['breaking', 'risky', 'ignore'])
      .default('risky'),
    new Option(
      '--used-by <name=path>',
      'what a client uses, in a file that a mock wrote, or in a folder of these: then only what breaks a named client counts; repeatable',
    ).argParser(usedBy),
    new Option('--seed <n>', 'the same seed finds the same examples')
      .argParser(integer(0, 2 ** 31 - 1))
      .default(1),
    new Option('--format <format>', 'output format')
      .choices(['text', 'json', 'markdown', 'github'])
      .default('text'),
    ...specOptions().filter(option => option.attributeName() !== 'spec'),
    ...configOptions(),
  ])
    command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (old: string, now: string, flags: EvolveFlags) => {
      const { runEvolve } = await import('../handlers/evolve.ts')
      exit(await runEvolve(old, now, flags))
    })
}

const examples = `
Examples:
  plantstore evolve released.openapi.yaml openapi.yaml
  plantstore evolve released.openapi.yaml openapi.yaml --old-servers breaking
  plantstore evolve released.openapi.yaml openapi.yaml --format github
  plantstore evolve released.openapi.yaml openapi.yaml --used-by checkout-web=checkout.json --used-by admin-web=usage/admin

Exit codes: 0 nothing breaking · 1 breaking differences, with --used-by for a client that it names ·
            2 usage or configuration · 3 unusable document
`
