import { type Contract, jsonCopy, nearest, obligationIn } from '../../spec/index.ts'
import type { AnswerBody } from '../answers/when.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { MutantError, ScenarioError } from '../errors.ts'
import { checkScenario, isPlainObject } from './check.ts'
import { contractProblems, operationProblems } from './check-against-contract.ts'
import {
  type ActiveScenario,
  type ActiveScenarios,
  createCounters,
  everyOperation,
  type Scenario,
} from './registry.ts'

/** Makes the middleware that breaks one obligation. Throws MutantError. */
export type Mutate = (engine: Engine, obligation: string) => Promise<Middleware>

export type ActivateOptions = {
  /** All documents, as they are served now. */
  readonly documents: () => readonly ServedDocument[]
  /** Milliseconds of a clock that only goes forward. */
  readonly ticks: () => number
  readonly mutate: Mutate
}

/** Prepares scenarios by operation. Throws ScenarioError with a line for each problem; `label` begins each line. */
export const activateAll = async (
  options: ActivateOptions,
  scenarios: unknown,
  label: string,
): Promise<ActiveScenarios> => {
  if (!isPlainObject(scenarios))
    throw new ScenarioError(`${label}it must be an object of scenarios by operation`)
  const active = new Map<string, readonly ActiveScenario[]>()
  const problems: string[] = []
  for (const [operation, scenario] of Object.entries(scenarios))
    await activateList(options, operation, scenario).then(
      prepared => active.set(operation, prepared),
      error => problems.push(...messageOf(error).split('\n')),
    )
  if (problems.length > 0) throw new ScenarioError(problems.map(line => `${label}${line}`).join('\n'))
  return active
}

/** Prepares the scenario of an operation, or a list of them. Throws ScenarioError. */
export const activateList = async (
  options: ActivateOptions,
  operationId: string,
  input: unknown,
): Promise<readonly ActiveScenario[]> => {
  if (!Array.isArray(input) || input.length === 0) return [await activate(options, operationId, input)]
  const active: ActiveScenario[] = []
  for (const [index, each] of input.entries())
    active.push(
      await activate(options, operationId, each).catch(error => {
        const lines = messageOf(error).split('\n')
        throw new ScenarioError(
          lines.map(line => `${line} (scenario ${index + 1} of ${input.length})`).join('\n'),
        )
      }),
    )
  return active
}

/** Prepares one scenario for an operation, or for all (`*`). Throws ScenarioError. */
export const activate = async (
  options: ActivateOptions,
  operationId: string,
  input: unknown,
): Promise<ActiveScenario> => {
  const { documents, ticks } = options
  const fail = (lines: readonly string[]): never => {
    throw new ScenarioError(lines.map(line => `${operationId}: ${line}`).join('\n'))
  }
  const unknown = operationProblem(documents(), operationId)
  if (unknown !== null) throw new ScenarioError(unknown)
  const invalid = checkScenario(input)
  if (invalid.length > 0) return fail(invalid)
  const scenario = copyOf(input as Scenario)
  const unfit = await problemsOf(documents(), operationId, scenario)
  if (unfit.length > 0) return fail(unfit)
  const mutant = await mutantFor(options, operationId, scenario).catch(error => fail([messageOf(error)]))
  return { scenario, counters: createCounters(scenario, ticks), mutant }
}

/** The caller's object may change. */
const copyOf = ({ body, ...rest }: Scenario): Scenario => ({
  ...(jsonCopy(rest) as Scenario),
  ...(body === undefined ? {} : { body: typeof body === 'function' ? body : (jsonCopy(body) as AnswerBody) }),
})

const problemsOf = async (
  documents: readonly ServedDocument[],
  operationId: string,
  scenario: Scenario,
): Promise<readonly string[]> => {
  // An operation may be called `*` itself: then the scenario is for this one as well.
  const document = operationId === everyOperation ? undefined : documentOf(documents, operationId)
  const operation = document?.contract.operations.find(({ id }) => id === operationId)
  if (document !== undefined && operation !== undefined)
    return operationProblems(document.engine, operation, scenario)
  const problems = documents.map(({ contract }) => contractProblems(contract, scenario))
  return problems.some(lines => lines.length === 0) ? [] : (problems[0] ?? [])
}

/**
 * The middleware that breaks what a scenario breaks; null: nothing. It follows its document when that is read again; while
 * the document does not have the obligation, nothing is broken.
 */
const mutantFor = async (
  { documents, mutate }: ActivateOptions,
  operationId: string,
  { breaks }: Scenario,
): Promise<Middleware | null> => {
  if (breaks === undefined) return null
  const owner = operationId === everyOperation ? ownerOf(documents(), breaks) : operationId
  const engineNow = (): Engine | undefined => (documentOf(documents(), owner) ?? documents()[0])?.engine
  let engine = engineNow()
  if (engine === undefined) throw new ScenarioError('there is no document')
  let mutant: Promise<Middleware | null> = Promise.resolve(await mutate(engine, breaks))
  return async (context, next) => {
    const current = engineNow()
    if (current !== undefined && current !== engine) {
      engine = current
      mutant = mutate(current, breaks).catch(() => null)
    }
    const middleware = await mutant
    return middleware === null ? next(context) : middleware(context, next)
  }
}

/** The operation that has an obligation; empty if none has it. */
const ownerOf = (documents: readonly ServedDocument[], obligation: string): string =>
  documents
    .map(({ contract, engine }) => obligationIn(contract, engine.unauthenticated, obligation))
    .find(found => found !== undefined)?.operation ?? ''

const documentOf = (documents: readonly ServedDocument[], operationId: string): ServedDocument | undefined =>
  documents.find(({ contract }) => operationIds(contract).includes(operationId))

const operationIds = ({ operations }: Contract): readonly string[] => operations.map(({ id }) => id)

/** Why there can be no scenario for an operation; null: it exists, or is `*`. */
export const operationProblem = (documents: readonly ServedDocument[], name: string): string | null => {
  const ids = documents.flatMap(({ contract }) => operationIds(contract))
  if (name === everyOperation || ids.includes(name)) return null
  const near = nearest(name, ids)
  const known = ids.length > 5 ? `${ids.slice(0, 5).join(', ')}, …` : ids.join(', ')
  return near.length > 0
    ? `there is no operation ${name}: did you mean ${near.join(', ')}?`
    : `there is no operation ${name}; operations: ${known}, or * for all`
}

const messageOf = (error: unknown): string => {
  if (error instanceof ScenarioError || error instanceof MutantError) return error.message
  throw error
}
