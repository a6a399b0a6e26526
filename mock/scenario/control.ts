import { header } from '../../spec/index.ts'
import type { Composed } from '../compose.ts'
import type { MockRequest } from '../engine.ts'
import { type OwnRoute, type OwnRoutes, ownJson } from '../own.ts'
import type { Scenario } from './scenario.ts'
import { ScenarioError } from './scenario-error.ts'
import type { Scenarios } from './scenarios.ts'
import { clientHeader } from './with-scenarios.ts'

/** What a call does to the scenarios that it is about. `name`: what follows in the path, empty where nothing does. */
type Change = (scenarios: Scenarios, name: string, request: MockRequest) => Promise<void> | void

/** Switches scenarios over HTTP; docs/mock.md has the calls. */
export const controlRoutes = (scenarios: Scenarios): OwnRoutes => {
  const answering =
    (change: Change): OwnRoute =>
    async (request, rest) => {
      const client = header(request.headers, clientHeader)
      try {
        const own = client === null ? scenarios : scenarios.of(client)
        await change(own, rest.join('/'), request)
        return ownJson(own.state())
      } catch (error) {
        return refused(error)
      }
    }
  return {
    'GET /scenarios': answering(() => {}),
    'PUT /scenarios': answering((own, name, request) => own.set(name, scenarioIn(request))),
    'DELETE /scenarios': answering((own, name) => own.reset(name === '' ? undefined : name)),
    'POST /sets': answering((own, name) => own.use(name)),
  }
}

const refused = (error: unknown): Composed => {
  if (!(error instanceof ScenarioError)) throw error
  return ownJson({ message: error.message }, 400)
}

/** The body of a call, not yet checked. */
const scenarioIn = ({ body }: MockRequest): Scenario => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array()))
  } catch {
    throw new ScenarioError('the body must be a scenario in JSON, such as {"status":400,"code":7}')
  }
}
