import { type AnswerRequest, createRequestLog } from '../answers/request.ts'
import { ScenarioError } from '../errors.ts'
import { type ActivateOptions, activate, activateAll, activateList, operationProblem } from './activate.ts'
import { isPlainObject } from './check.ts'
import type {
  ActiveScenario,
  Scenario,
  ScenarioRegistry,
  ScenarioSets,
  ScenariosByOperation,
} from './registry.ts'

/** What is on. `set`: the name of the set that is on and was not changed since; else null. */
export type ScenarioState = {
  readonly operations: ScenariosByOperation
  readonly sets: readonly string[]
  readonly set: string | null
}

/** Switches scenarios while the mock runs. An invalid one is a ScenarioError, and changes nothing. */
export type Scenarios = {
  /** Sets the scenario of an operation, by its id, or of all (`*`); earlier ones are replaced. Of a list, the later ones win. */
  readonly set: (operation: string, scenario: Scenario | readonly Scenario[]) => Promise<void>
  /** Adds a scenario, which wins over the earlier ones of the operation. */
  readonly add: (operation: string, scenario: Scenario) => Promise<AddedScenario>
  /** Removes the scenario of an operation, or all scenarios. */
  readonly reset: (operation?: string) => void
  /** Replaces all scenarios by a named set. */
  readonly use: (set: string) => Promise<void>
  /** Adds sets, in the place of those of the same names, and switches one on if it is the only one. */
  readonly load: (sets: ScenarioSets) => Promise<void>
  readonly state: () => ScenarioState
  /** The same for requests with `Plantstore-Client: NAME` only; these then get no other scenarios. */
  readonly of: (client: string) => Scenarios
}

/** A scenario that was added. */
export type AddedScenario = {
  /** Removes it, and no other; without effect if it is on no longer. */
  readonly undo: () => void
  /** The last requests that it affected (at most 500, and 8 MiB of bodies), oldest first. */
  readonly requests: readonly AnswerRequest[]
}

export type ScenariosOptions = ActivateOptions & {
  readonly registry: ScenarioRegistry
  readonly scenarioSets: ScenarioSets
}

/** What is on from the start: a set, and scenarios that replace those of the set. */
export type InitialScenarios = {
  readonly scenarioSet: string | null
  readonly scenarios: ScenariosByOperation
}

type InTurn = (change: () => Promise<void>) => Promise<void>

/** Checks every set, and switches on what is on from the start. Throws ScenarioError with a line for each problem. */
export const createScenarios = async (
  options: ScenariosOptions,
  { scenarioSet, scenarios: initial }: InitialScenarios,
): Promise<Scenarios> => {
  const { registry, scenarioSets } = options
  const sets = new Map<string, ScenariosByOperation>()
  // Each change waits for the one before, so that none is lost.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn: InTurn = change => {
    const done = last.then(change)
    last = done.catch(() => {})
    return done
  }
  const scenarios = scenariosFor(options, sets, null, inTurn)
  await addSets(options, sets, scenarioSets)
  if (scenarioSet !== null) await scenarios.use(scenarioSet)
  const active = await activateAll(options, initial, '')
  if (active.size > 0)
    registry.change(null, { active: new Map([...registry.scope(null).active, ...active]), set: null })
  return scenarios
}

type Sets = Map<string, ScenariosByOperation>

/** Adds all sets, or none if there is a problem in one. */
const addSets = async (options: ActivateOptions, sets: Sets, added: ScenarioSets): Promise<void> => {
  if (!isPlainObject(added)) throw new ScenarioError('scenario sets must be an object of sets by name')
  for (const [name, set] of Object.entries(added)) await activateAll(options, set, `set ${name}: `)
  for (const [name, set] of Object.entries(added)) sets.set(name, set)
}

const scenariosFor = (
  options: ScenariosOptions,
  sets: Sets,
  client: string | null,
  inTurn: InTurn,
): Scenarios => {
  const { documents, registry } = options
  const use = async (name: string): Promise<void> => {
    const set = sets.get(name)
    if (set === undefined) throw new ScenarioError(unknownSet(name, [...sets.keys()]))
    registry.change(client, { active: await activateAll(options, set, `set ${name}: `), set: name })
  }
  return {
    set: (operation, scenario) =>
      inTurn(async () => {
        const prepared = await activateList(options, operation, scenario)
        const { active } = registry.scope(client)
        registry.change(client, { active: new Map([...active, [operation, prepared]]), set: null })
      }),
    add: (operation, scenario) => {
      const { requests, add: onRequest } = createRequestLog()
      let added: ActiveScenario | null = null
      const undo = (): void => {
        const { active } = registry.scope(client)
        const rest = active.get(operation)?.filter(each => each !== added) ?? []
        if (rest.length === active.get(operation)?.length) return
        const others = [...active].filter(([name]) => name !== operation)
        const all = rest.length === 0 ? others : [...others, [operation, rest] as const]
        if (all.length === 0) registry.reset(client)
        else registry.change(client, { active: new Map(all), set: null })
      }
      return inTurn(async () => {
        added = { ...(await activate(options, operation, scenario)), onRequest }
        const { active } = registry.scope(client)
        const list = [...(active.get(operation) ?? []), added]
        registry.change(client, { active: new Map([...active, [operation, list]]), set: null })
      }).then(() => ({ undo, requests }))
    },
    reset: operation => {
      if (operation === undefined) return registry.reset(client)
      const problem = operationProblem(documents(), operation)
      if (problem !== null) throw new ScenarioError(problem)
      const rest = new Map(registry.scope(client).active)
      if (!rest.delete(operation)) return
      if (rest.size === 0) registry.reset(client)
      else registry.change(client, { active: rest, set: null })
    },
    use: name => inTurn(() => use(name)),
    load: added =>
      inTurn(async () => {
        await addSets(options, sets, added)
        const [only, ...others] = Object.keys(added)
        if (only !== undefined && others.length === 0) await use(only)
      }),
    state: () => {
      const { active, set } = registry.scope(client)
      const operations = [...active].map(([name, list]) => {
        const scenarios = list.map(({ scenario }) => scenario)
        return [name, scenarios.length === 1 ? scenarios[0] : scenarios]
      })
      return { operations: Object.fromEntries(operations), sets: [...sets.keys()], set }
    },
    of: name => scenariosFor(options, sets, clientName(name), inTurn),
  }
}

const unknownSet = (name: string, names: readonly string[]): string =>
  names.length === 0
    ? `there is no scenario set ${name}: load sets with --scenario-file FILE`
    : `there is no scenario set ${name}; sets: ${names.join(', ')}`

const clientName = (name: string): string => {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(name)) return name
  throw new ScenarioError('the name of a client must be 1 to 100 visible ASCII characters')
}
