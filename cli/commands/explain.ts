import { Argument, Command, Option } from 'commander'
import type { ExplainFlags } from '../handlers/run-explain.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const explainCommand = (): Command => {
  const command = new Command('explain')
    .summary('tell one obligation with examples')
    .description(
      'Tells one obligation: the promise, the clause it rests on, how it is tested, requests that are really made for it, an answer that keeps it and one that breaks it. The answers are those of the mock, sound and broken.',
    )
    .addArgument(new Argument('<id>', 'the id of an obligation'))
  for (const option of specOptions()) command.addOption(option)
  return command
    .addOption(unauthenticatedOption('whether a 401 may answer missing or wrong credentials'))
    .addOption(new Option('--format <format>', 'how to tell it').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (id: string, flags: ExplainFlags) => {
      const { runExplain } = await import('../handlers/run-explain.ts')
      await runExplain(id, flags)
    })
}

const examples = `
Examples:
  plantstore explain createPlant/request/body/id/type/numeral
  plantstore explain listBooks/response/200/body/type --spec library.openapi.yaml
`
