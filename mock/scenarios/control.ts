import { header, isObject, type Json, parseJson } from '../../spec/index.ts'
import { type AdminRoute, type AdminRoutes, jsonResponse } from '../admin/routes.ts'
import { clientHeader, type MockRequest } from '../engine/request.ts'
import { ScenarioError } from '../errors.ts'
import type { Scenario } from './scenario.ts'
import type { Scenarios } from './scenarios.ts'

/** What a call does to the scenarios of its client. `name`: the rest of the path, empty if there is none. */
type Change = (scenarios: Scenarios, name: string, request: MockRequest) => Promise<void> | void

/** Switches scenarios over HTTP; docs/mock.md has the calls. */
export const scenarioRoutes = (scenarios: Scenarios): AdminRoutes => {
  const route =
    (change: Change): AdminRoute =>
    async (request, rest) => {
      const client = header(request.headers, clientHeader)
      try {
        const affected = client === null ? scenarios : scenarios.of(client)
        await change(affected, rest.join('/'), request)
        return jsonResponse(affected.state())
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

/** The values to send and to compare keep the text of their numbers; in all other parts numbers are those of JavaScript. */
const withExactValues = (value: Json, exact: Json): unknown => {
  if (Array.isArray(value) && Array.isArray(exact))
    return value.map((each: Json, index) => withExactValues(each, exact[index]))
  if (!isObject(value) || !isObject(exact)) return value
  const { body, when } = exact
  return { ...value, ...(body === undefined ? {} : { body }), ...(when === undefined ? {} : { when }) }
}
