import { Argument, Command, Option } from 'commander'
import { forwardModes } from '../../mock/defaults.ts'
import type { ProxyFlags } from '../handlers/proxy.ts'
import { anyFormats, failOnOption, outOption } from '../options/output-flags.ts'
import { each, list, path, command as shellCommand, target, text } from '../options/parse.ts'
import {
  addressOptions,
  logOption,
  maxBodyOption,
  replayOption,
  tlsOptions,
} from '../options/server-flags.ts'
import { basePathOption, configOptions, specOptions, unauthenticatedOption } from '../options/spec-flags.ts'
import { addressOfCallbacks } from '../options/state-flags.ts'
import { secretOption } from '../options/token-flags.ts'
import { requestHookOption, trustOptions } from '../options/transport-flags.ts'

export const proxyCommand = (exit: (code: number) => void): Command => {
  const command = new Command('proxy')
    .summary('forward requests to a server, and judge them and the responses')
    .description(
      'Forwards requests and responses unchanged, and checks both against the contract. Stop it with Ctrl-C.',
    )
    .addArgument(
      new Argument('[url]', 'base URL of the server, such as http://127.0.0.1:8080').argParser(target),
    )
  const options = [
    ...specOptions(),
    ...configOptions(),
    basePathOption(),
    ...addressOptions(4020),
    new Option(
      '--mode <mode>',
      'observe: change nothing; enforce: let nothing through that breaks the contract',
    )
      .choices(forwardModes)
      .default('observe'),
    new Option(
      '--mock-missing',
      'answer like the mock if the server does not have an operation yet (404, 405 or 501, undeclared)',
    ),
    replayOption(),
    new Option(
      '--live <request>',
      "send only these requests to the server, and answer other operations from --replay or like the mock: 'GET /plants/*', a path or an operation id, each with *; repeatable",
    ).argParser(each(text)),
    new Option('--keep-host', 'send the Host of the client to the server, instead of the server’s own'),
    new Option('--forwarded-headers', 'add X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto'),
    new Option(
      '--violations-header',
      'list violations in the response header Plantstore-Violations, if known before the response starts',
    ),
    ...addressOfCallbacks(),
    new Option(
      '--callbacks-to <url>',
      'forward what comes to --listen to this URL, with its path, and return the answer (default: answer with a declared success)',
    ).argParser(target),
    secretOption(
      'the secret of a security scheme of callbacks or webhooks (or PLANTSTORE_SECRET_NAME): signatures are checked; repeatable',
    ),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    requestHookOption(),
    ...trustOptions(),
    failOnOption(),
    new Option(
      '--run <command>',
      'a shell command whose requests go through the proxy, such as an end-to-end suite; it finds the address in PLANTSTORE_PROXY_URL, and the one for callbacks in PLANTSTORE_CALLBACK_URL',
    ).argParser(shellCommand),
    new Option('--report <formats>', `reports to write at the end: ${anyFormats.join(', ')}, all`).argParser(
      list(anyFormats),
    ),
    outOption(),
    new Option('--record, --har <file>', 'record every exchange, up to 256 MiB (HAR 1.2)').argParser(path),
    logOption(),
    maxBodyOption('largest body that is judged'),
    ...tlsOptions(),
  ]
  for (const option of options) command.addOption(option)
  return command.addHelpText('after', examples).action(async (url: URL | undefined, flags: ProxyFlags) => {
    const { runProxy } = await import('../handlers/proxy.ts')
    exit(await runProxy(url, flags))
  })
}

const examples = `
Examples:
  plantstore proxy http://127.0.0.1:8080 --spec openapi.yaml
  plantstore proxy http://127.0.0.1:8080 --spec openapi.yaml --fail-on response --report html,junit
  plantstore proxy http://127.0.0.1:8080 --spec openapi.yaml --mock-missing
  plantstore proxy http://127.0.0.1:8080 --spec openapi.yaml --fail-on response --run 'npm run e2e'

Exit codes: 0 nothing to fail on · 1 what --fail-on names, or --run failed ·
            2 usage or configuration · 3 unusable document ·
            4 --fail-on, but no request for a declared operation came · 5 internal error ·
            130, 143 signals, without --fail-on, --report and --har, or during --run
`
