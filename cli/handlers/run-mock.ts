import { createMock, type Mock } from '../../mock/index.ts'
import type { UnauthenticatedPolicy } from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import { readSets, scenariosOf } from '../inputs/scenarios.ts'
import { tlsOf, trusted } from '../inputs/tls.ts'
import type { LogKind } from '../options/log-kind.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { startLog } from '../outputs/log.ts'
import { print, say } from '../outputs/terminal.ts'
import { UsageError } from '../process/exit.ts'
import { holdMemory } from '../process/heap-limit.ts'
import { exitCodeOfSignal, onSignal, type Signal } from '../process/signals.ts'

export type MockFlags = SpecFlags & {
  readonly mount?: readonly (readonly [prefix: string, from: string])[]
  readonly watch?: boolean
  readonly port: number
  readonly host: string
  readonly token?: readonly string[]
  readonly unauthenticated: UnauthenticatedPolicy
  readonly break?: string
  readonly scenario?: readonly string[]
  readonly scenarios?: string
  readonly set?: string
  readonly seed: number
  readonly log?: LogKind
  readonly cors: boolean
  readonly maxBody: number
  readonly tls?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCertOut?: string
}

export const runMock = async (flags: MockFlags): Promise<number> => {
  holdMemory()
  const tokens = flags.token
  let tell = say
  const mock = await createMock({
    ...(await documentsOf(flags)),
    watch: flags.watch ?? false,
    networkRefs: flags.networkRefs ?? false,
    host: flags.host,
    port: flags.port,
    unauthenticated: flags.unauthenticated,
    maxBodyBytes: flags.maxBody,
    cors: flags.cors,
    tls: tlsOf(flags),
    seed: flags.seed,
    scenarios: scenariosOf(flags.scenario),
    ...(flags.scenarios === undefined ? {} : { scenarioSets: readSets(flags.scenarios) }),
    ...(flags.set === undefined ? {} : { scenarioSet: flags.set }),
    warn: message => tell(message),
    ...(flags.break === undefined ? {} : { breaks: flags.break }),
    ...(tokens === undefined ? {} : { tokens }),
  })
  for (const { prefix, contract } of mock.documents)
    print(`mock of ${contract.title} ${contract.version} at ${mock.url}${prefix}`)
  say(`  console ${mock.url}/__plantstore/`)
  sayOperations(mock)
  say(
    tokens === undefined
      ? '  any well-formed token is right'
      : `  ${tokens.length === 1 ? 'one token is' : `${tokens.length} tokens are`} right`,
  )
  for (const line of trusted(mock.certificate, flags.tlsCertOut)) say(`  ${line}`)
  if (flags.break !== undefined) say(`  it breaks ${flags.break}`)
  const { operations, sets } = mock.scenarios.state()
  for (const [operation, scenario] of Object.entries(operations))
    say(`  scenario of ${operation}: ${JSON.stringify(scenario)}`)
  if (sets.length > 0) say(`  sets of scenarios: ${sets.join(', ')}`)
  if (flags.watch === true) say('  it reads its documents again when their files change')
  const log = await startLog(mock, tokens ?? [], flags.log)
  tell = log.say
  const signal = await new Promise<Signal>(resolve => {
    onSignal(resolve)
  })
  await mock.close()
  await log.end()
  return exitCodeOfSignal(signal)
}

const documentsOf = async ({ spec, mount = [], watch = false, networkRefs = false }: MockFlags) => {
  const documents = new Map(mount)
  if (documents.size < mount.length)
    throw new UsageError('two documents have the same prefix: --mount each on its own')
  if (spec === undefined && mount.length === 0) {
    if (watch) throw new UsageError('--watch needs a document of yours: name it with --spec or --mount')
    return { contract: await contractOf({ networkRefs }) }
  }
  return { ...(spec === undefined ? {} : { contract: spec }), documents: Object.fromEntries(documents) }
}

const mostOperations = 12

const sayOperations = ({ documents }: Mock): void => {
  const lines = documents.flatMap(({ prefix, contract }) =>
    contract.operations.map(
      ({ method, path, summary }) => `  ${method.padEnd(6)} ${prefix}${path}  ${summary}`,
    ),
  )
  for (const line of lines.slice(0, mostOperations)) say(line)
  if (lines.length > mostOperations)
    say(`  and ${(lines.length - mostOperations).toLocaleString('en-US')} more`)
}
