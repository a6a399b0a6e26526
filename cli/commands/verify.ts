import { Argument, Command, Option } from 'commander'
import { verifyDefaults } from '../../conformance/defaults.ts'
import waiversSchema from '../config/waivers.schema.json' with { type: 'json' }
import type { VerifyFlags } from '../handlers/verify.ts'
import { hookOptions } from '../options/hook-flags.ts'
import {
  outOption,
  partialOptions,
  reportOption,
  summaryOption,
  verbosityOptions,
} from '../options/output-flags.ts'
import { duration, each, integer, path, shard } from '../options/parse.ts'
import { recordOptions } from '../options/record-flags.ts'
import { otherUserOptions, responseTime, selectionOptions } from '../options/selection-flags.ts'
import { embeddedMock, server, type Target } from '../options/server-flags.ts'
import {
  configOptions,
  specOptions,
  unauthenticatedOption,
  undeclaredFailuresOption,
} from '../options/spec-flags.ts'
import { listenOptions, stateOptions } from '../options/state-flags.ts'
import { tokenOptions } from '../options/token-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'
import { waiverOptions } from '../options/waiver-flags.ts'
import { exitCodeHelp } from '../process/exit.ts'

export const verifyCommand = (exit: (code: number) => void): Command => {
  const command = new Command('verify')
    .summary('test a live server against its contract')
    .description(
      'Sends generated requests to a server and gives each obligation of the contract a verdict. Without a URL it tests the embedded mock, over real HTTP on a free port.',
    )
    .addArgument(
      new Argument('[url]', 'base URL of the server, such as http://127.0.0.1:4010')
        .argParser(server)
        .default(embeddedMock, embeddedMock),
    )
  const options = [
    ...specOptions(),
    ...configOptions(),
    ...tokenOptions('a valid token (or PLANTSTORE_TOKEN); without it, wrong tokens are not tested'),
    ...otherUserOptions(),
    new Option(
      '--seed <n>',
      'the same seed sends the same requests (default: random, and printed)',
    ).argParser(integer(0, 2 ** 31 - 1)),
    new Option(
      '--cases <n>',
      `test cases to plan (default: what the contract needs, from ${verifyDefaults.cases} on, or as many as --max-time allows)`,
    ).argParser(integer(1, 10_000_000)),
    new Option('--max-time <duration>', 'stop after this time, such as 30s').argParser(duration),
    ...selectionOptions(),
    new Option('--bail', 'stop at the first failure that counts'),
    new Option('--shard <i/n>', 'send one part of the plan, for plantstore merge (needs --seed or --nonce)')
      .argParser(shard)
      .conflicts(['maxTime', 'bail', 'updateBaseline', 'bundle']),
    new Option(
      '--concurrency <n>',
      'limit of requests in flight: few at first, more as long as the server keeps up, over 16 only if it is far away',
    )
      .argParser(integer(1, 256))
      .default(verifyDefaults.concurrency),
    new Option('--wait-for <duration>', 'wait up to this time for the first response').argParser(duration),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    undeclaredFailuresOption(),
    new Option('--strict', 'count failures of SHOULD as well'),
    new Option('--malformed-http', 'also send malformed HTTP, over raw connections'),
    ...listenOptions(),
    ...stateOptions(),
    new Option(
      '--examples <file>',
      'a HAR file or Postman collection, whose valid requests are examples of parameters and bodies',
    ).argParser(path),
    ...partialOptions(),
    ...waiverOptions(waiversSchema),
    new Option(
      '--baseline <file>',
      'known failures to accept (plantstore baseline); fixed ones must be removed',
    ).argParser(path),
    new Option('--update-baseline', 'remove fixed failures from the baseline'),
    new Option('--pins <file>', 'answers that must stay as they were (plantstore pin)').argParser(path),
    new Option(
      '--max-response-time <limit>',
      'response time limit for valid requests, as a requirement: p95=300ms, max=2s or createPlant:p95=300ms; repeatable',
    ).argParser(each(responseTime)),
    ...transportOptions(),
    ...recordOptions(),
    reportOption(),
    outOption(),
    new Option('--har <file>', 'record every exchange during the run, up to 256 MiB (HAR 1.2)').argParser(
      path,
    ),
    new Option(
      '--suggest-overlay <file>',
      'write what would make the document say what the server does (OpenAPI Overlay)',
    )
      .argParser(path)
      .conflicts('shard'),
    new Option('--bundle <file>', 'write the evidence of the run into one zip').argParser(path),
    summaryOption().conflicts('shard'),
    ...hookOptions(),
    ...verbosityOptions(),
  ]
  for (const option of options) command.addOption(option)
  return command
    .addHelpText('after', `${examples}${exitCodeHelp}`)
    .action(async (url: Target, flags: VerifyFlags, self: Command) => {
      const { runVerify } = await import('../handlers/verify.ts')
      exit(await runVerify(url, flags, self))
    })
}

const examples = `
Examples:
  plantstore verify                                        test the embedded mock
  plantstore verify http://127.0.0.1:4010 --token secret   test a server
  plantstore verify https://staging.example.test --max-time 30s --strict --report junit,html
`
