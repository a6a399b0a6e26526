import { Command, Option } from 'commander'
import type { MockFlags } from '../handlers/run-mock.ts'
import { configOptions } from '../options/config-flags.ts'
import { logKinds } from '../options/log-kind.ts'
import { each, mount, path, text, token, whole } from '../options/parse.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const mockCommand = (leave: (code: number) => void): Command => {
  const command = new Command('mock')
    .summary('serve answers that conform to the contract')
    .description(
      'Serves every operation of the contract: valid requests are answered as declared, all others with the declared failure and the true reason. It runs until it is stopped (Ctrl-C).',
    )
  for (const option of [...specOptions(), ...configOptions()]) command.addOption(option)
  return command
    .addOption(
      new Option(
        '--mount </prefix=file|url>',
        'serve a document below a prefix of its own, may be repeated; the plant store’s is then not served',
      ).argParser(each(mount)),
    )
    .addOption(new Option('--watch', 'read the documents again when one of their files changes'))
    .addOption(new Option('--port <n>', '0 for any free one').argParser(whole(0, 65_535)).default(4010))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      new Option(
        '--token <token>',
        'a right token, may be repeated (or PLANTSTORE_TOKEN; default: any well-formed one)',
      ).argParser(each(token)),
    )
    .addOption(unauthenticatedOption('how missing or wrong credentials are answered'))
    .addOption(new Option('--break <id>', 'keep every obligation but this one').argParser(text))
    .addOption(
      new Option(
        '--scenario <text>',
        'what an operation does instead, as OPERATION:key=value,… with * for all; may be repeated',
      ).argParser(each(text)),
    )
    .addOption(
      new Option('--scenarios <file>', 'named sets of scenarios, YAML or JSON, to be switched on').argParser(
        path,
      ),
    )
    .addOption(new Option('--set <name>', 'the set that is on from the start').argParser(text))
    .addOption(
      new Option('--seed <n>', 'what is drawn by chance follows from it and the request')
        .argParser(whole(0, 2 ** 31 - 1))
        .default(0),
    )
    .addOption(
      new Option(
        '--log <how>',
        'tell each request on stderr (default: lines on a terminal, else none)',
      ).choices(logKinds),
    )
    .addOption(new Option('--no-cors', 'let no page of another origin use it'))
    .addOption(
      new Option('--max-body <bytes>', 'largest body that is read')
        .argParser(whole(1, 2 ** 31 - 1))
        .default(10 * 1024 * 1024, '10 MiB'),
    )
    .addOption(new Option('--tls', 'https, with a certificate made at the start that nobody vouches for'))
    .addOption(
      new Option('--tls-cert <file>', 'https, with this certificate (PEM) and --tls-key').argParser(path),
    )
    .addOption(new Option('--tls-key <file>', 'the key of --tls-cert (PEM)').argParser(path))
    .addOption(
      new Option(
        '--tls-cert-out <file>',
        'https, and write here what clients have to trust (verify --ca)',
      ).argParser(path),
    )
    .addHelpText('after', examples)
    .action(async (flags: MockFlags) => {
      const { runMock } = await import('../handlers/run-mock.ts')
      leave(await runMock(flags))
    })
}

const examples = `
Examples:
  plantstore mock
  plantstore mock --port 0 --token secret
  plantstore mock --tls-cert-out mock.pem
  plantstore mock --scenario 'createPlant:status=400,code=7,every=3' --scenario '*:delay=100..300'
  plantstore mock --spec shop.yaml --mount /billing=payments.yaml --watch
  curl -sS http://127.0.0.1:4010/plants -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' -d '{"id":1,"name":"Fern"}'
`
