import { Command, Option } from 'commander'
import type { ObligationsFlags } from '../handlers/list-obligations.ts'
import { configOptions } from '../options/config-flags.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const obligationsCommand = (): Command => {
  const command = new Command('obligations')
    .summary('list what the contract promises')
    .description('Lists every obligation of the contract: id, level, promise and the place it comes from.')
  for (const option of [...specOptions(), ...configOptions()]) command.addOption(option)
  return command
    .addOption(unauthenticatedOption('whether a 401 may answer missing or wrong credentials'))
    .addOption(
      new Option('--format <format>', 'how to list them')
        .choices(['text', 'json', 'markdown'])
        .default('text'),
    )
    .addOption(new Option('--wire', 'and what HTTP itself asks of a server (verify --wire)'))
    .addHelpText('after', examples)
    .action(async (flags: ObligationsFlags) => {
      const { listObligations } = await import('../handlers/list-obligations.ts')
      await listObligations(flags)
    })
}

const examples = `
Examples:
  plantstore obligations
  plantstore obligations --spec my-service.openapi.yaml --format markdown
`
