import { Argument, Command, Option } from 'commander'
import waiversSchema from '../config/waivers.schema.json' with { type: 'json' }
import type { VerifyFlags } from '../handlers/run-verify.ts'
import { configOptions } from '../options/config-flags.ts'
import { loudnessOptions, outOption, reportOption } from '../options/output-flags.ts'
import { duration, each, path, pathOr, shard, text, token, whole } from '../options/parse.ts'
import { embeddedMock, server, type Target } from '../options/server-target.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'

export const verifyCommand = (leave: (code: number) => void): Command => {
  const command = new Command('verify')
    .summary('judge a live server by its contract')
    .description(
      'Sends generated requests to a server and gives every obligation of the contract one verdict. Without a URL it starts the mock on a free port and verifies that, over real HTTP.',
    )
    .addArgument(
      new Argument('[url]', 'base URL of the server, such as http://127.0.0.1:4010')
        .argParser(server)
        .default(embeddedMock, embeddedMock),
    )
  for (const option of [...specOptions(), ...configOptions()]) command.addOption(option)
  command
    .addOption(
      new Option(
        '--token <token>',
        'the right token (or PLANTSTORE_TOKEN); without it wrong tokens are not tested',
      ).argParser(token),
    )
    .addOption(
      new Option('--seed <n>', 'same seed, same requests (default: drawn, and printed)').argParser(
        whole(0, 2 ** 31 - 1),
      ),
    )
    .addOption(
      new Option('--cases <n>', 'requests to plan (default: 1000, or what --time allows)').argParser(
        whole(1, 10_000_000),
      ),
    )
    .addOption(new Option('--time <duration>', 'stop after a time, such as 30s').argParser(duration))
    .addOption(
      new Option(
        '--only <pattern>',
        'test these obligations only: an id, its beginning, or with *',
      ).argParser(each(text)),
    )
    .addOption(new Option('--skip <pattern>', 'leave these obligations out').argParser(each(text)))
    .addOption(new Option('--bail', 'stop at the first broken promise that counts'))
    .addOption(
      new Option('--shard <i/n>', 'send a part of the plan, for plantstore merge (needs --seed)')
        .argParser(shard)
        .conflicts(['time', 'bail', 'updateBaseline', 'bundle']),
    )
    .addOption(new Option('--concurrency <n>', 'requests in flight').argParser(whole(1, 256)).default(16))
    .addOption(
      new Option('--wait-for <duration>', 'how long the server may take to answer at all').argParser(
        duration,
      ),
    )
    .addOption(unauthenticatedOption('how missing or wrong credentials are to be answered'))
    .addOption(new Option('--strict', 'broken SHOULDs count as well'))
    .addOption(
      new Option(
        '--waivers <file>',
        'accept these broken promises until their day: a YAML or JSON list',
      ).argParser(pathOr(waiversSchema)),
    )
    .addOption(
      new Option(
        '--baseline <file>',
        'accept what was broken on adoption (plantstore baseline); mended, it has to leave',
      ).argParser(path),
    )
    .addOption(new Option('--update-baseline', 'let what is mended leave the baseline'))
    .addOption(
      new Option('--pins <file>', 'hold the open questions to these answers (plantstore pin)').argParser(
        path,
      ),
    )
    .addOption(new Option('--wire', 'send malformed HTTP as well, over raw connections'))
  for (const option of transportOptions()) command.addOption(option)
  command
    .addOption(reportOption())
    .addOption(outOption())
    .addOption(
      new Option(
        '--har <file>',
        'write every exchange while the run goes, up to 256 MiB (HAR 1.2)',
      ).argParser(path),
    )
    .addOption(new Option('--bundle <file>', 'write the evidence of the run into one zip').argParser(path))
  for (const option of loudnessOptions()) command.addOption(option)
  return command
    .addHelpText('after', examples)
    .action(async (url: Target, flags: VerifyFlags, own: Command) => {
      const { runVerify } = await import('../handlers/run-verify.ts')
      leave(await runVerify(url, flags, own))
    })
}

const examples = `
Examples:
  plantstore verify                                        verify the embedded mock
  plantstore verify http://127.0.0.1:4010 --token secret   verify a server
  plantstore verify https://staging.example.test --time 30s --strict --report junit,html

Exit codes: 0 conforms · 1 broken · 2 usage or configuration · 3 unusable document ·
            4 unreachable or inconclusive · 5 internal error · 130, 143 signals
`
