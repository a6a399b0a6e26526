import { Argument, Command, Option } from 'commander'
import type { JudgeFlags } from '../handlers/judge.ts'
import {
  failOnOption,
  outOption,
  reportOption,
  summaryOption,
  verbosityOptions,
} from '../options/output-flags.ts'
import { target } from '../options/parse.ts'
import { basePathOption, specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const judgeCommand = (exit: (code: number) => void): Command => {
  const command = new Command('judge')
    .summary('judge a HAR file, without a server')
    .description(
      'Checks the requests and responses in a HAR file of a browser, a proxy or this tool against the contract, as plantstore proxy does with live traffic. Also takes Postman collections (v2.1).',
    )
    .addArgument(new Argument('<file>', 'a HAR file, or a Postman collection'))
  const options = [
    ...specOptions(),
    new Option(
      '--server <url>',
      'base URL of the API in the file (default: the servers of the document; if the file has none of them, the paths decide)',
    ).argParser(target),
    basePathOption(),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    failOnOption('any'),
    reportOption(),
    outOption(),
    summaryOption(),
    ...verbosityOptions(),
  ]
  for (const option of options) command.addOption(option)
  return command.addHelpText('after', examples).action(async (file: string, flags: JudgeFlags) => {
    const { runJudge } = await import('../handlers/judge.ts')
    exit(await runJudge(file, flags))
  })
}

const examples = `
Examples:
  plantstore judge traffic.har --spec openapi.yaml
  plantstore judge traffic.har --spec openapi.yaml --server https://staging.example.test/v1 --fail-on response

Exit codes: 0 nothing to fail on · 1 what --fail-on names · 2 usage, or the file cannot be used ·
            3 unusable document · 4 no request for a declared operation · 5 internal error
`
