import { header } from '../../spec/index.ts'
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
    'DELETE /scenarios': route((affected, name) => affected.reset(name === '' ? undefined : name)),
    'POST /sets': route((affected, name) => affected.use(name)),
  }
}

/** The body of a call, not checked yet. */
const scenarioIn = ({ body }: MockRequest): Scenario => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array()))
  } catch {
    throw new ScenarioError('the body must be a scenario in JSON, such as {"status":400,"code":7}')
  }
}
