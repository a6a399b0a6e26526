import { Argument, Command, Option } from 'commander'
import { forwardModes } from '../../mock/defaults.ts'
import type { ProxyFlags } from '../handlers/proxy.ts'
import { basePath, target } from '../options/parse.ts'
import { addressOptions, logOption, maxBodyOption, tlsOptions } from '../options/server-flags.ts'
import { configOptions, specOptions, unauthenticatedOption } from '../options/spec-flags.ts'
import { trustOptions } from '../options/transport-flags.ts'

export const proxyCommand = (exit: (code: number) => void): Command => {
  const command = new Command('proxy')
    .summary('forward requests to a server, and judge them and the responses')
    .description(
      'Forwards every request to a server and answers with its response, as they are, and judges both by the contract. Stop it with Ctrl-C.',
    )
    .addArgument(
      new Argument('[url]', 'base URL of the server, such as http://127.0.0.1:8080').argParser(target),
    )
  const options = [
    ...specOptions(),
    ...configOptions(),
    new Option(
      '--base-path <path>',
      'a path before those of the document that counts as well: auto (that of servers), none, or a path',
    )
      .argParser(basePath)
      .default('auto'),
    new Option('--watch', 'reload the document when a file changes'),
    ...addressOptions(4020),
    new Option(
      '--mode <mode>',
      'observe: change nothing; enforce: let nothing through that breaks the contract',
    )
      .choices(forwardModes)
      .default('observe'),
    new Option(
      '--mock-missing',
      'answer like the mock where the server has no such operation yet (404, 405 or 501 that is not declared)',
    ),
    new Option('--keep-host', 'send the Host of the client to the server, instead of the server’s own'),
    new Option('--forwarded-headers', 'add X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto'),
    new Option(
      '--violations-header',
      'name what is broken in the response header Plantstore-Violations, where that is known in time',
    ),
    unauthenticatedOption('how missing or wrong credentials have to be answered'),
    ...trustOptions(),
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
`
