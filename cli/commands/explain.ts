import { Argument, Command, Option } from 'commander'
import type { ExplainFlags } from '../handlers/explain.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const explainCommand = (): Command => {
  const command = new Command('explain')
    .summary('explain one obligation or a finding, with examples')
    .description(
      'Explains one obligation: the requirement, the clause behind it, how it is tested, the requests that are sent for it, a response that passes and one that fails. The responses come from the mock, intact and broken. With --ledger it explains a finding: its cause with all places, and the obligation.',
    )
    .addArgument(new Argument('<id>', 'the id of an obligation; with --ledger, of a finding'))
  for (const option of [
    ...specOptions(),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    new Option('--ledger <file>', 'the ledger of a run that has the finding'),
    new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'),
  ])
    command.addOption(option)
  return command.addHelpText('after', examples).action(async (id: string, flags: ExplainFlags) => {
    const { runExplain } = await import('../handlers/explain.ts')
    await runExplain(id, flags)
  })
}

const examples = `
Examples:
  plantstore explain createPlant/request/body/id/type/numeral
  plantstore explain listBooks/response/200/body/type --spec library.openapi.yaml
  plantstore explain 7f3 --ledger plantstore-report/ledger.ndjson
`
