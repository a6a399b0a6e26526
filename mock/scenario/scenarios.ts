import type { Contract } from '../../spec/index.ts'
import { BreakError } from '../break/break-error.ts'
import type { Desk, Engine } from '../engine.ts'
import { nearest } from '../nearest.ts'
import type { Active, Actives, Board } from './board.ts'
import { checkScenario, isPlain } from './check.ts'
import { fitProblems, fitsNone } from './fit.ts'
import { everyOperation, type Scenario, type ScenarioSets, type ScenariosByOperation } from './scenario.ts'
import { ScenarioError } from './scenario-error.ts'
import { createTally } from './tally.ts'

/** What is on. `set`: the name of the set that is on and was not changed since; else null. */
export type ScenarioState = {
  readonly operations: ScenariosByOperation
  readonly sets: readonly string[]
  readonly set: string | null
}

/** Switches scenarios while the mock runs. What is wrong with one is told by a ScenarioError, and nothing is changed. */
export type Scenarios = {
  /** Puts a scenario on an operation, by its id or `*` for all, in the place of the one that it had. */
  readonly set: (operation: string, scenario: Scenario) => Promise<void>
  /** Takes the scenario off an operation, or off all. */
  readonly reset: (operation?: string) => void
  /** Switches a named set on, and all else off. */
  readonly use: (set: string) => Promise<void>
  readonly state: () => ScenarioState
  /** The same for requests with `Plantstore-Client: NAME` alone; these then meet no scenarios but their own. */
  readonly of: (client: string) => Scenarios
}

/** A document that operations are of, and what answers them. */
export type Home = { readonly contract: Contract; readonly prefix: string; readonly desk: Desk }

/** Makes the engine that breaks one obligation. Throws BreakError. */
export type BreakOne = (home: Home, id: string) => Promise<Engine>

export type Means = {
  /** All documents, as they are served now. */
  readonly homes: () => readonly Home[]
  readonly board: Board
  readonly sets: ScenarioSets
  /** Milliseconds of a clock that only goes forward. */
  readonly ticks: () => number
  readonly breakOne: BreakOne
}

type InTurn = (change: () => Promise<void>) => Promise<void>

/**
 * Makes sure that every set can be used, and switches on what is to be on from the start: a set, and scenarios over it.
 * Throws ScenarioError with a line for each that cannot be.
 */
export const createScenarios = async (
  means: Means,
  { set, scenarios: given }: { readonly set?: string; readonly scenarios?: ScenariosByOperation },
): Promise<Scenarios> => {
  // Each change waits for the one before, so that none is lost.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn: InTurn = change => {
    const done = last.then(change)
    last = done.catch(() => {})
    return done
  }
  const scenarios = scenariosOf(means, null, inTurn)
  if (!isPlain(means.sets)) throw new ScenarioError('sets must be an object of sets by their names')
  for (const [name, own] of Object.entries(means.sets)) await activateAll(means, own, `set ${name}: `)
  if (set !== undefined) await scenarios.use(set)
  const { board } = means
  const over = await activateAll(means, given ?? {}, '')
  if (over.size > 0)
    board.change(null, { actives: new Map([...board.scope(null).actives, ...over]), set: null })
  return scenarios
}

const scenariosOf = (means: Means, client: string | null, inTurn: InTurn): Scenarios => {
  const { homes, board, sets } = means
  return {
    set: (operation, scenario) =>
      inTurn(async () => {
        const active = await activate(means, operation, scenario)
        const { actives } = board.scope(client)
        board.change(client, { actives: new Map([...actives, [operation, active]]), set: null })
      }),
    reset: operation => {
      if (operation === undefined) return board.forget(client)
      const problem = operationProblem(operationsOf(homes()), operation)
      if (problem !== null) throw new ScenarioError(problem)
      const rest = new Map(board.scope(client).actives)
      if (!rest.delete(operation)) return
      if (rest.size === 0) board.forget(client)
      else board.change(client, { actives: rest, set: null })
    },
    use: name =>
      inTurn(async () => {
        const set = Object.hasOwn(sets, name) ? sets[name] : undefined
        if (set === undefined) throw new ScenarioError(noSet(name, Object.keys(sets)))
        board.change(client, { actives: await activateAll(means, set, `set ${name}: `), set: name })
      }),
    state: () => {
      const { actives, set } = board.scope(client)
      const operations = [...actives].map(([name, { scenario }]) => [name, scenario])
      return { operations: Object.fromEntries(operations), sets: Object.keys(sets), set }
    },
    of: name => scenariosOf(means, clientName(name), inTurn),
  }
}

/** Makes scenarios ready to be on. Throws ScenarioError with a line for each that cannot be. */
const activateAll = async (means: Means, given: unknown, where: string): Promise<Actives> => {
  if (!isPlain(given)) throw new ScenarioError(`${where}it must be an object of scenarios by operation`)
  const actives = new Map<string, Active>()
  const problems: string[] = []
  for (const [operation, scenario] of Object.entries(given))
    await activate(means, operation, scenario).then(
      active => actives.set(operation, active),
      error => problems.push(...messageOf(error).split('\n')),
    )
  if (problems.length > 0) throw new ScenarioError(problems.map(line => `${where}${line}`).join('\n'))
  return actives
}

const activate = async (means: Means, name: string, given: unknown): Promise<Active> => {
  const { homes, ticks } = means
  const fail = (lines: readonly string[]): never => {
    throw new ScenarioError(lines.map(line => `${name}: ${line}`).join('\n'))
  }
  // Of all operations there is no home: what it breaks says which.
  const homeOf = (id: string): Home | undefined =>
    homes().find(({ contract }) => contract.operations.some(own => own.id === id))
  const wrong = operationProblem(operationsOf(homes()), name)
  if (wrong !== null) throw new ScenarioError(wrong)
  const problems = checkScenario(given)
  if (problems.length > 0) return fail(problems)
  // A copy: what the caller has may change.
  const scenario = structuredClone(given) as Scenario
  const home = homeOf(name)
  const operation = home?.contract.operations.find(own => own.id === name)
  const unfit =
    home === undefined || operation === undefined
      ? fitsNoHome(homes(), scenario)
      : await fitProblems(home.contract, home.desk, operation, scenario)
  if (unfit.length > 0) return fail(unfit)
  const { breaks } = scenario
  const current = (): Home | undefined =>
    homeOf(name === everyOperation ? (breaks?.split('/')[0] ?? '') : name) ?? homes()[0]
  const breaker =
    breaks === undefined
      ? null
      : await breaking(means, current, scenario, breaks).catch(error => fail([messageOf(error)]))
  return { scenario, tally: createTally(scenario, ticks), breaker }
}

/** An engine that breaks an obligation of a document as it is served now; where that has it no more, nothing is broken. */
const breaking = async (
  { breakOne }: Means,
  current: () => Home | undefined,
  { unauthenticated }: Scenario,
  id: string,
): Promise<Engine> => {
  const under = (home: Home): Home =>
    unauthenticated === undefined
      ? home
      : { ...home, desk: { ...home.desk, engine: home.desk.under(unauthenticated) } }
  let home = current()
  if (home === undefined) throw new ScenarioError('there is no document')
  let engine = Promise.resolve(await breakOne(under(home), id))
  return async request => {
    const now = current()
    if (now !== undefined && now !== home) {
      home = now
      const own = under(now)
      engine = breakOne(own, id).catch(() => own.desk.engine)
    }
    return (await engine)(request)
  }
}

/** What a scenario of all operations asks for that no document has. */
const fitsNoHome = (homes: readonly Home[], scenario: Scenario): readonly string[] => {
  const unfit = homes.map(({ contract }) => fitsNone(contract, scenario))
  return unfit.some(lines => lines.length === 0) ? [] : (unfit[0] ?? [])
}

const operationsOf = (homes: readonly Home[]): readonly string[] =>
  homes.flatMap(({ contract }) => contract.operations.map(({ id }) => id))

const operationProblem = (ids: readonly string[], name: string): string | null => {
  if (name === everyOperation || ids.includes(name)) return null
  const near = nearest(name, ids)
  const known = ids.length > 5 ? `${ids.slice(0, 5).join(', ')}, …` : ids.join(', ')
  return `there is no operation ${name}: ${near.length > 0 ? `did you mean ${near.join(', ')}?` : `there is ${known}; * is all of them`}`
}

const noSet = (name: string, names: readonly string[]): string =>
  `there is no set ${name}: ${names.length === 0 ? 'no sets were given (--scenarios FILE)' : `there is ${names.join(', ')}`}`

const clientName = (name: string): string => {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(name)) return name
  throw new ScenarioError('the name of a client must be 1 to 100 visible ASCII characters')
}

const messageOf = (error: unknown): string => {
  if (error instanceof ScenarioError || error instanceof BreakError) return error.message
  throw error
}
