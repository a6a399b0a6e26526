import { Argument, Command, Option } from 'commander'
import { verifyDefaults } from '../../conformance/defaults.ts'
import waiversSchema from '../config/waivers.schema.json' with { type: 'json' }
import type { CompareFlags } from '../handlers/compare.ts'
import { integer, list, path, token } from '../options/parse.ts'
import { otherUserOptions, selectionOptions } from '../options/selection-flags.ts'
import { server, type Target } from '../options/server-flags.ts'
import {
  configOptions,
  specOptions,
  unauthenticatedOption,
  undeclaredFailuresOption,
} from '../options/spec-flags.ts'
import { stateOptions } from '../options/state-flags.ts'
import { tokenOptions } from '../options/token-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'
import { waiverOptions } from '../options/waiver-flags.ts'

/** What is sent by commands, or beside the plan, has no counterpart on the other server. */
const ofVerify: ReadonlySet<string | undefined> = new Set(['--fixture-command', '--arazzo', '--arazzo-input'])

export const compareCommand = (exit: (code: number) => void): Command => {
  const command = new Command('compare')
    .summary('find what two servers do differently')
    .description(
      'Sends the same requests to two servers, and lists the verdicts that differ, and different answers to questions that the contract leaves open. Answers that differ when one server is asked twice do not count.',
    )
    .addArgument(new Argument('<a>', 'base URL of a server, or embedded-mock').argParser(server))
    .addArgument(new Argument('<b>', 'base URL of the other, or embedded-mock').argParser(server))
  const options = [
    ...specOptions(),
    ...configOptions(),
    ...tokenOptions('a valid token of both servers (or PLANTSTORE_TOKEN)'),
    new Option('--token-b <token>', 'a valid token of the second server, if it differs').argParser(token),
    ...otherUserOptions(),
    new Option(
      '--other-token-b <token>',
      'a valid token of the second user of the second server, if it differs',
    ).argParser(token),
    new Option('--seed <n>', 'the same seed sends the same requests (default: random)').argParser(
      integer(0, 2 ** 31 - 1),
    ),
    new Option('--cases <n>', 'test cases to plan (default: what the contract needs)').argParser(
      integer(1, 10_000_000),
    ),
    ...selectionOptions(),
    new Option('--concurrency <n>', 'requests in flight')
      .argParser(integer(1, 256))
      .default(verifyDefaults.concurrency),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    undeclaredFailuresOption(),
    new Option('--malformed-http', 'also send malformed HTTP, over raw connections'),
    ...stateOptions().filter(({ long }) => !ofVerify.has(long)),
    ...waiverOptions(waiversSchema),
    ...transportOptions(),
    new Option('--fail-on <what>', 'exit with 1 if verdicts differ, or any answer')
      .choices(['verdicts', 'any'])
      .default('verdicts'),
    new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'),
    new Option('--report <formats>', 'also write compare.html, with two columns: html').argParser(
      list(['html']),
    ),
    new Option('--out <folder>', 'folder for the report').argParser(path).default('plantstore-report'),
    new Option('-v, --verbose', 'list every difference (text only)'),
  ]
  for (const option of options) command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (a: Target, b: Target, flags: CompareFlags, self: Command) => {
      const { runCompare } = await import('../handlers/compare.ts')
      exit(await runCompare([a, b], flags, self))
    })
}

const examples = `
Examples:
  plantstore compare https://live.example.test https://next.example.test --spec openapi.yaml
  plantstore compare http://127.0.0.1:8080 embedded-mock --report html

Exit codes: 0 no verdict differs · 1 a verdict differs, or with --fail-on any an answer ·
            2 usage or configuration · 3 unusable document · 4 a server could not be tested ·
            130, 143 signals
`
