import { Argument, Command, Option } from 'commander'
import { verify } from '../conformance/index.ts'
import { createMock, type Mock } from '../mock/index.ts'
import { type FormatName, formatNames, terminal } from '../reports/index.ts'
import type { Ledger, Unauthenticated } from '../spec/index.ts'
import { exitCodeOf, exitCodes } from './exit.ts'
import { type Output, openOutput } from './output.ts'
import { duration, list, target, token, whole } from './parse.ts'
import { product } from './product.ts'
import { contractOf, type SpecFlags, specOptions } from './spec.ts'
import { colourOf, print, progressOf, say, tokenOf } from './terminal.ts'

type Flags = SpecFlags & {
  readonly token?: string
  readonly seed?: number
  readonly cases: number
  readonly time?: number
  readonly concurrency: number
  readonly timeout: number
  readonly unauthenticated: Unauthenticated
  readonly strict?: boolean
  readonly insecure?: boolean
  readonly report: readonly FormatName[]
  readonly out: string
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export const verifyCommand = (leave: (code: number) => void): Command => {
  const command = new Command('verify')
    .summary('judge a live server by its contract')
    .description(
      'Sends generated requests to a server and gives every obligation of the contract one verdict.\nWithout a URL it starts the mock on a free port and verifies that, over real HTTP.',
    )
    .addArgument(
      new Argument('[url]', 'base URL of the server, such as http://127.0.0.1:4010').argParser(target),
    )
  for (const option of specOptions()) command.addOption(option)
  return command
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
    .addOption(new Option('--cases <n>', 'requests to plan').argParser(whole(1, 10_000_000)).default(1000))
    .addOption(new Option('--time <duration>', 'stop after a time, such as 30s').argParser(duration))
    .addOption(new Option('--concurrency <n>', 'requests in flight').argParser(whole(1, 256)).default(16))
    .addOption(
      new Option('--timeout <duration>', 'how long one answer may take').argParser(duration).default(5, '5s'),
    )
    .addOption(
      new Option('--unauthenticated <policy>', 'how missing or wrong credentials are to be answered')
        .choices(['declared', '401', 'either'])
        .default('declared'),
    )
    .addOption(new Option('--strict', 'broken SHOULDs count as well'))
    .addOption(new Option('--insecure', 'accept certificates that cannot be trusted'))
    .addOption(
      new Option('--report <formats>', `reports to write: ${formatNames.join(', ')}, all`)
        .argParser(list(formatNames))
        .default(['ndjson', 'json', 'junit', 'html'], 'ndjson,json,junit,html'),
    )
    .addOption(new Option('--out <folder>', 'where reports are written').default('plantstore-report'))
    .addOption(new Option('-q, --quiet', 'the verdict and the findings only').conflicts('verbose'))
    .addOption(new Option('-v, --verbose', 'every obligation with its verdict'))
    .addHelpText('after', examples)
    .action(async (url: URL | undefined, flags: Flags) => leave(await runVerify(url, flags)))
}

const examples = `
Examples:
  plantstore verify                                        verify the embedded mock
  plantstore verify http://127.0.0.1:4010 --token secret   verify a server
  plantstore verify https://staging.example.test --time 30s --strict --report junit,html

Exit codes: 0 conforms · 1 broken · 2 usage · 3 unusable document · 4 unreachable or inconclusive · 5 internal error
`

const runVerify = async (url: URL | undefined, flags: Flags): Promise<number> => {
  const contract = await contractOf(flags)
  const output = openOutput(flags.out, flags.report)
  const right = tokenOf(flags.token)
  const mock: Mock | null =
    url === undefined ? await createMock({ contract, tokens: [right ?? embeddedToken] }) : null
  const known = mock === null ? right : (right ?? embeddedToken)
  if (flags.insecure === true) say('warning: --insecure: the server’s certificate is not checked')
  const progress = flags.quiet === true ? null : progressOf()
  const stop = new AbortController()
  const interrupt = onInterrupt(stop)
  try {
    const ledger = await verify({
      target: url ?? (mock as Mock).url,
      contract,
      ...(known === undefined ? {} : { token: known }),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      ...(flags.time === undefined ? {} : { seconds: flags.time }),
      cases: flags.cases,
      concurrency: flags.concurrency,
      timeoutMs: flags.timeout * 1000,
      unauthenticated: flags.unauthenticated,
      strict: flags.strict === true,
      insecure: flags.insecure === true,
      product,
      signal: stop.signal,
      onEvent: event => {
        output.event(event)
        progress?.event(event)
      },
    })
    progress?.stop()
    return tell(ledger, output, flags, interrupt.signal())
  } finally {
    progress?.stop()
    interrupt.end()
    await mock?.close()
  }
}

const embeddedToken = 'embedded-mock-token'

const tell = (ledger: Ledger, output: Output, flags: Flags, signal: 'SIGINT' | 'SIGTERM' | null): number => {
  const problems = output.finish(ledger)
  const report = flags.report.includes('html') ? output.path('html') : flags.report.map(output.path)[0]
  const verbosity = flags.quiet === true ? 'quiet' : flags.verbose === true ? 'verbose' : 'normal'
  print(
    terminal(ledger, {
      colour: colourOf(process.stdout),
      verbosity,
      ledger: output.path('ndjson'),
      report: report ?? null,
    }),
  )
  for (const problem of problems) say(problem)
  if (signal !== null) return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated
  return problems.length > 0 ? exitCodes.usage : exitCodeOf(ledger)
}

/** The first signal stops the run, which still tells what it saw; a second one ends the process. */
const onInterrupt = (stop: AbortController) => {
  let caught: 'SIGINT' | 'SIGTERM' | null = null
  const handle = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (caught !== null) process.exit(signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated)
    caught = signal
    say('stopping: the reports are still written; once more to leave at once')
    stop.abort()
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    signal: () => caught,
    end: () => {
      process.off('SIGINT', handle)
      process.off('SIGTERM', handle)
    },
  }
}
