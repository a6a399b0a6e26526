import { Argument, Command, Option } from 'commander'
import type { ConfigFlags } from '../handlers/config.ts'

export const configCommand = (): Command =>
  new Command('config')
    .summary('show each setting and where its value comes from')
    .description(
      'Shows the settings of a command: flags override the environment, which overrides plantstore.config.*, which overrides defaults. Nothing is sent, and no token is shown.',
    )
    .addArgument(
      new Argument('[command]', 'verify, mock, replay, merge, obligations or selftest (default: verify)'),
    )
    .addArgument(new Argument('[flags...]', 'its flags'))
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .allowUnknownOption()
    .addHelpText('after', examples)
    .action(async (_name: string, _flags: readonly string[], flags: ConfigFlags, self: Command) => {
      const { showConfig } = await import('../handlers/config.ts')
      await showConfig(self, flags)
    })

const examples = `
Examples:
  plantstore config
  plantstore config verify https://staging.example.test --cases 200
  plantstore config mock --format json
`
