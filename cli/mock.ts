import { Command, Option } from 'commander'
import { createMock } from '../mock/index.ts'
import { each, token, whole } from './parse.ts'
import { contractOf, type SpecFlags, specOptions } from './spec.ts'
import { print, say, tokenOf } from './terminal.ts'

type Flags = SpecFlags & {
  readonly port: number
  readonly host: string
  readonly token?: readonly string[]
  readonly maxBody: number
}

export const mockCommand = (): Command => {
  const command = new Command('mock')
    .summary('serve answers that conform to the contract')
    .description(
      'Serves every operation of the contract: valid requests are answered as declared, all others with\nthe declared failure and the true reason.',
    )
  for (const option of specOptions()) command.addOption(option)
  return command
    .addOption(new Option('--port <n>', '0 for any free one').argParser(whole(0, 65_535)).default(4010))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      new Option(
        '--token <token>',
        'a right token, may be repeated (or PLANTSTORE_TOKEN; default: any well-formed one)',
      ).argParser(each(token)),
    )
    .addOption(
      new Option('--max-body <bytes>', 'largest body that is read')
        .argParser(whole(1, 2 ** 31 - 1))
        .default(10 * 1024 * 1024, '10 MiB'),
    )
    .addHelpText('after', examples)
    .action(runMock)
}

const examples = `
Examples:
  plantstore mock
  plantstore mock --port 0 --token secret
  curl -sS http://127.0.0.1:4010/plants -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' -d '{"id":1,"name":"Fern"}'
`

const runMock = async (flags: Flags): Promise<void> => {
  const fromEnvironment = tokenOf(undefined)
  const tokens = flags.token ?? (fromEnvironment === undefined ? undefined : [fromEnvironment])
  const contract = await contractOf(flags)
  const mock = await createMock({
    contract,
    host: flags.host,
    port: flags.port,
    maxBodyBytes: flags.maxBody,
    ...(tokens === undefined ? {} : { tokens }),
  })
  print(`mock of ${contract.title} ${contract.version} at ${mock.url}`)
  for (const { method, path, summary } of contract.operations)
    say(`  ${method.padEnd(6)} ${path}  ${summary}`)
  say(
    tokens === undefined
      ? '  any well-formed token is right'
      : `  ${tokens.length === 1 ? 'one token is' : `${tokens.length} tokens are`} right`,
  )
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await mock.close()
}
