import type { CreatedNames, Fixtures, VerifyOptions } from '../../conformance/index.ts'
import { type Contract, nearest, resourcesOf, safeText } from '../../spec/index.ts'
import type { HookFlags } from '../options/hook-flags.ts'
import { embeddedMock, type Target } from '../options/server-flags.ts'
import { createdNamesIn, type FixtureValues, fixturesIn, type StateFlags } from '../options/state-flags.ts'
import { HookError, UsageError } from '../process/exit.ts'
import { runCommand } from '../process/run-command.ts'
import { flowsOf } from './flows/flows.ts'

/** What the flags say of the resources on the server. Throws UsageError if one is of no operation or parameter of the contract. */
export const stateOf = (
  { stateless, fixture, created, keep, ...flags }: StateFlags,
  server: Target,
  contract: Contract,
): Pick<VerifyOptions, 'stateless' | 'fixtures' | 'createdNames' | 'keep' | 'flows' | 'flowInputs'> => {
  const fixtures = fixturesIn(fixture, message => new UsageError(message))
  checkNames(fixtures, contract, '--fixture')
  const createdNames = createdNamesIn(created)
  checkCreators(createdNames, contract)
  // What the mock creates, changes and removes are answers only.
  return {
    stateless: stateless === true || server === embeddedMock,
    fixtures,
    createdNames,
    keep,
    ...flowsOf(flags, contract),
  }
}

/**
 * The fixtures that a command prints as JSON. Throws HookError if it fails, and UsageError if it
 * prints something else.
 */
export const preparedFixtures = async (
  { fixtureCommand, hookTimeout: seconds }: StateFlags & HookFlags,
  contract: Contract,
  url: URL,
): Promise<Fixtures> => {
  if (fixtureCommand === undefined) return {}
  const name = `--fixture-command ${safeText(fixtureCommand)}`
  const env = { PLANTSTORE_URL: url.href }
  const { problem, stdout, stderr } = await runCommand(fixtureCommand, { seconds, output: 'collect', env })
  const [line = ''] = stderr.trim().split('\n')
  if (problem !== null)
    throw new HookError(
      `${name} ${problem}${line === '' ? '' : `: ${safeText(line.trim())}`}, so nothing was sent`,
    )
  const fixtures = fixturesIn(parsed(stdout, name), message => new UsageError(`${name}: ${message}`))
  checkNames(fixtures, contract, name)
  return fixtures
}

const parsed = (text: string, name: string): FixtureValues => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as FixtureValues
  } catch {
    // The message below says what is missing.
  }
  throw new UsageError(`${name} must print one JSON object, such as {"getOrder.orderId": 7}`)
}

const checkCreators = (createdNames: CreatedNames, contract: Contract): void => {
  const graph = resourcesOf(contract)
  const creators = contract.operations
    .filter(operation => graph.createdBy(operation) !== null)
    .map(({ id }) => id)
  for (const id of Object.keys(createdNames)) {
    if (creators.includes(id)) continue
    const [near] = nearest(id, creators)
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    throw new UsageError(
      contract.operations.some(operation => operation.id === id)
        ? `--created ${safeText(id)}: no path asks for what this operation creates${hint}`
        : `--created ${safeText(id)}: the contract has no such operation${hint}`,
    )
  }
}

const checkNames = (fixtures: Fixtures, { operations }: Contract, from: string): void => {
  const known = operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name }) => [`${id}.${name}`, `*.${name}`]),
  )
  for (const name of Object.keys(fixtures)) {
    if (known.includes(name)) continue
    const [near] = nearest(name, known)
    throw new UsageError(
      `${from}: the contract has no parameter ${safeText(name)}${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    )
  }
}
