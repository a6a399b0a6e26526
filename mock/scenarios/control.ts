import {
  header,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  readJson,
  writeJson,
} from '../../spec/index.ts'
import { type AdminRoute, type AdminRoutes, jsonResponse } from '../admin/routes.ts'
import { clientHeader, type MockRequest } from '../engine/request.ts'
import { ScenarioError } from '../errors.ts'
import type { Scenario, ScenarioSets, ScenariosByOperation } from './registry.ts'
import type { ScenarioState, Scenarios } from './scenarios.ts'

/** What a call does to the scenarios of its client. `name`: the rest of the path, empty if there is none. */
type Change = (scenarios: Scenarios, name: string, request: MockRequest) => Promise<void> | void

/** Switches scenarios over HTTP; docs/scenarios.md has the calls. */
export const scenarioRoutes = (scenarios: Scenarios): AdminRoutes => {
  const route =
    (change: Change, messageOf: (state: ScenarioState) => unknown = state => state): AdminRoute =>
    async (request, rest) => {
      const client = header(request.headers, clientHeader)
      try {
        const affected = client === null ? scenarios : scenarios.of(client)
        await change(affected, rest.join('/'), request)
        return jsonResponse(messageOf(affected.state()))
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error
        return jsonResponse({ message: error.message }, 400)
      }
    }
  return {
    'GET /scenarios': route(() => {}),
    'PUT /scenarios': route((affected, name, request) => affected.set(name, scenarioIn(request))),
    'POST /scenarios': route(
      async (affected, name, request) => void (await affected.add(name, scenarioIn(request))),
    ),
    'DELETE /scenarios': route((affected, name) => affected.reset(name === '' ? undefined : name)),
    'POST /sets': route((affected, name) => affected.use(name)),
    'GET /sets': route(
      () => {},
      ({ operations, set }) => ({ sets: { [set ?? 'saved']: saved(operations) } }),
    ),
    'PUT /sets': route((affected, _name, request) => affected.load(setsIn(request))),
  }
}

/** The body of a call, not checked yet. */
const scenarioIn = ({ body }: MockRequest): Scenario => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array())
    return withExactValues(JSON.parse(text), parseJson(text)) as Scenario
  } catch {
    throw new ScenarioError('the body must be a scenario in JSON, such as {"status":400,"code":7}')
  }
}

/** The sets of a scenario file in JSON, not checked yet. */
const setsIn = ({ body }: MockRequest): ScenarioSets => {
  const read = readJson(body ?? new Uint8Array())
  if (read.ok && isObject(read.value) && isObject(read.value.sets ?? null))
    // What follows from a number is checked as one: only answers keep its text.
    return mapped(read.value.sets as JsonObject, set =>
      isObject(set)
        ? mapped(set, scenario => withExactValues(JSON.parse(writeJson(scenario)), scenario))
        : set,
    ) as unknown as ScenarioSets
  throw new ScenarioError(
    'the body must be a scenario file in JSON, such as {"sets":{"down":{"*":{"status":503,"undeclared":true}}}}',
  )
}

const mapped = (object: JsonObject, change: (value: Json) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))

/** What a file can hold: all but answers by functions. */
const saved = (operations: ScenariosByOperation): ScenariosByOperation =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([name, scenarios]) => {
      const kept = [scenarios].flat().filter(({ body }) => typeof body !== 'function')
      return kept.length === 0 ? [] : [[name, kept.length === 1 ? (kept[0] as Scenario) : kept] as const]
    }),
  )

/** The values to send and to compare keep the text of their numbers; in all other parts numbers are those of JavaScript. */
const withExactValues = (value: Json, exact: Json): unknown => {
  if (Array.isArray(value) && Array.isArray(exact))
    return value.map((each: Json, index) => withExactValues(each, exact[index]))
  if (!isObject(value) || !isObject(exact)) return value
  const { body, when } = exact
  return { ...value, ...(body === undefined ? {} : { body }), ...(when === undefined ? {} : { when }) }
}
