import { Command, Option } from 'commander'
import type { ObligationsFlags } from '../handlers/obligations.ts'
import { configOptions, specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const obligationsCommand = (): Command => {
  const command = new Command('obligations')
    .summary('list the obligations of the contract')
    .description(
      'Lists every obligation of the contract: id, level, requirement, and its place in the document.',
    )
  for (const option of [
    ...specOptions(),
    ...configOptions(),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
    new Option('--ownership', 'include the obligations about a second user (verify --other-token)'),
    new Option('--callbacks', 'include the obligations about callbacks (verify --listen)'),
    new Option('--malformed-http', 'include the obligations of HTTP itself (verify --malformed-http)'),
  ])
    command.addOption(option)
  return command.addHelpText('after', examples).action(async (flags: ObligationsFlags) => {
    const { listObligations } = await import('../handlers/obligations.ts')
    await listObligations(flags)
  })
}

const examples = `
Examples:
  plantstore obligations
  plantstore obligations --spec my-service.openapi.yaml --format markdown
`
