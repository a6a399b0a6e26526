import { Command, Option } from 'commander'
import type { MockFlags } from '../handlers/mock.ts'
import { basePath, each, integer, mount, path, text, token } from '../options/parse.ts'
import { ruleOption } from '../options/rule-flags.ts'
import {
  addressOptions,
  logOption,
  maxBodyOption,
  replayOption,
  tlsOptions,
} from '../options/server-flags.ts'
import { configOptions, specOptions, unauthenticatedOption } from '../options/spec-flags.ts'

export const mockCommand = (exit: (code: number) => void): Command => {
  const command = new Command('mock')
    .summary('serve responses that conform to the contract')
    .description(
      'Serves every operation of the contract. A valid request gets a declared success; any other gets the declared failure with the real reason. Stop it with Ctrl-C.',
    )
  const options = [
    ...specOptions(', or a Postman collection'),
    ...configOptions(),
    new Option(
      '--mount </prefix=file|url>',
      'serve a document below a path prefix, instead of the plant store; repeatable',
    ).argParser(each(mount)),
    new Option(
      '--base-path <path>',
      'a path prefix that is served as well: auto (from servers), none, or a path',
    )
      .argParser(basePath)
      .default('auto'),
    new Option('--watch', 'reload the documents when a file changes'),
    ...addressOptions(4010),
    new Option(
      '--token <token>',
      'a valid token (or PLANTSTORE_TOKEN; default: any well-formed one); repeatable',
    ).argParser(each(token)),
    new Option('--issued-tokens', 'accept only tokens that the mock has issued, and --token'),
    unauthenticatedOption('how missing or wrong credentials are answered'),
    new Option('--break <id>', 'break this obligation, and no other').argParser(text),
    new Option(
      '--scenario <text>',
      'change what an operation does: OPERATION:key=value,… (* for all); repeatable',
    ).argParser(each(text)),
    new Option('--scenario-file <file>', 'named scenario sets (YAML or JSON)').argParser(path),
    new Option(
      '--arazzo <file>',
      'the workflows of this Arazzo document as scenario sets, which answer their steps as their criteria say; repeatable',
    )
      .argParser(each(path))
      .helpGroup('Responses:'),
    new Option('--scenario-set <name>', 'the set that is active from the start').argParser(text),
    new Option(
      '--like <file>',
      'answer open questions of the contract like a real server: the ledger of its run, or its pins (YAML)',
    ).argParser(path),
    replayOption(),
    new Option('--callbacks', 'send the callbacks of operations, to this machine and private networks'),
    new Option(
      '--callback-hosts <host>',
      'another host to which callbacks may go; repeatable; implies --callbacks',
    ).argParser(each(text)),
    ruleOption(),
    new Option('--stateful', 'store what requests create, change and remove'),
    new Option(
      '--state <file>',
      'also store it in this file (SQLite), for the next start; implies --stateful',
    ).argParser(path),
    new Option('--per-token', 'each token has data of its own; implies --stateful'),
    new Option(
      '--seed-data <file>',
      'resources that exist at the start, by collection (YAML or JSON); implies --stateful',
    ).argParser(path),
    new Option(
      '--values <file>',
      'a module with values of your own: functions by schema, property or operation, and a faker',
    ).argParser(path),
    new Option('--seed <n>', 'seed of all random choices').argParser(integer(0, 2 ** 31 - 1)).default(0),
    logOption(),
    new Option('--no-cors', 'send no CORS headers'),
    maxBodyOption('largest request body'),
    ...tlsOptions(),
  ]
  for (const option of options) command.addOption(option)
  return command.addHelpText('after', examples).action(async (flags: MockFlags) => {
    const { runMock } = await import('../handlers/mock.ts')
    exit(await runMock(flags))
  })
}

const examples = `
Examples:
  plantstore mock --spec openapi.yaml
  plantstore mock --port 0 --token secret
  plantstore mock --tls-cert-out mock.pem
  plantstore mock --scenario 'createPlant:status=400,code=7,every=3' --scenario '*:delay=100..300'
  plantstore mock --spec shop.yaml --mount /billing=payments.yaml --watch
  curl -sS http://127.0.0.1:4010/plants -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' -d '{"id":1,"name":"Fern"}'
`
