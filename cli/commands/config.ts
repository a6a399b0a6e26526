import { Argument, Command, Option } from 'commander'
import type { ShowFlags } from '../handlers/run-config.ts'

export const configCommand = (): Command =>
  new Command('config')
    .summary('show each setting, and where its value comes from')
    .description(
      'Shows what a verb would go by: flags go over the environment, that over plantstore.config.*, that over defaults. Nothing is sent, and no token is shown.',
    )
    .addArgument(new Argument('[verb]', 'verify, mock, replay, obligations or selftest (default: verify)'))
    .addArgument(new Argument('[flags...]', 'what would be typed after it'))
    .addOption(new Option('--format <format>', 'how to show them').choices(['text', 'json']).default('text'))
    .allowUnknownOption()
    .addHelpText('after', examples)
    .action(async (_verb: string, _rest: readonly string[], flags: ShowFlags, command: Command) => {
      const { showConfig } = await import('../handlers/run-config.ts')
      await showConfig(command, flags)
    })

const examples = `
Examples:
  plantstore config
  plantstore config verify https://staging.example.test --cases 200
  plantstore config mock --format json
`
