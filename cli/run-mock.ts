import { createMock } from '../mock/index.ts'
import type { Unauthenticated } from '../spec/index.ts'
import { contractOf } from './contract.ts'
import { readSets, scenariosOf } from './scenarios.ts'
import { exitCodeOfSignal, onSignal, type Signal } from './signals.ts'
import type { SpecFlags } from './spec-flags.ts'
import { print, say, tokenOf } from './terminal.ts'

export type MockFlags = SpecFlags & {
  readonly port: number
  readonly host: string
  readonly token?: readonly string[]
  readonly unauthenticated: Unauthenticated
  readonly break?: string
  readonly scenario?: readonly string[]
  readonly scenarios?: string
  readonly set?: string
  readonly seed: number
  readonly cors: boolean
  readonly maxBody: number
}

export const runMock = async (flags: MockFlags): Promise<number> => {
  const fromEnvironment = tokenOf(undefined)
  const tokens = flags.token ?? (fromEnvironment === undefined ? undefined : [fromEnvironment])
  const contract = await contractOf(flags)
  const mock = await createMock({
    contract,
    host: flags.host,
    port: flags.port,
    unauthenticated: flags.unauthenticated,
    maxBodyBytes: flags.maxBody,
    cors: flags.cors,
    seed: flags.seed,
    scenarios: scenariosOf(flags.scenario),
    ...(flags.scenarios === undefined ? {} : { sets: readSets(flags.scenarios) }),
    ...(flags.set === undefined ? {} : { set: flags.set }),
    ...(flags.break === undefined ? {} : { breaks: flags.break }),
    ...(tokens === undefined ? {} : { tokens }),
  })
  print(`mock of ${contract.title} ${contract.version} at ${mock.url}`)
  say(`  console ${mock.url}/__plantstore/`)
  for (const { method, path, summary } of contract.operations)
    say(`  ${method.padEnd(6)} ${path}  ${summary}`)
  say(
    tokens === undefined
      ? '  any well-formed token is right'
      : `  ${tokens.length === 1 ? 'one token is' : `${tokens.length} tokens are`} right`,
  )
  if (flags.break !== undefined) say(`  it breaks ${flags.break}`)
  const { operations, sets } = mock.scenarios.state()
  for (const [operation, scenario] of Object.entries(operations))
    say(`  scenario of ${operation}: ${JSON.stringify(scenario)}`)
  if (sets.length > 0) say(`  sets of scenarios: ${sets.join(', ')}`)
  const signal = await new Promise<Signal>(resolve => {
    onSignal(resolve)
  })
  await mock.close()
  return exitCodeOfSignal(signal)
}
