import { Command, Option } from 'commander'
import type { LintFlags } from '../handlers/lint.ts'
import { configOptions, specOptions } from '../options/spec-flags.ts'

export const lintCommand = (): Command => {
  const command = new Command('lint')
    .summary('list faults and gaps of the document')
    .description(
      'Lists errors of the document, parts that are not tested, and gaps: requests whose response it does not declare, so that no test can tell a right response from a wrong one.',
    )
  for (const option of [
    ...specOptions(),
    ...configOptions(),
    new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'),
  ])
    command.addOption(option)
  return command.addHelpText('after', examples).action(async (flags: LintFlags) => {
    const { lint } = await import('../handlers/lint.ts')
    await lint(flags)
  })
}

const examples = `
Examples:
  plantstore lint --spec my-service.openapi.yaml
  plantstore lint --spec my-service.openapi.yaml --format json
`
