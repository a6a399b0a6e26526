import { errorCodes } from '../../spec/index.ts'
import { withHeader } from '../engine/mock-response.ts'
import { reasonOf } from './chosen-response.ts'
import { failBy } from './fail.ts'
import type { ScenarioRequest, ScenarioResponse } from './scenario-request.ts'

/** The rejection of a request over the limit of its scenario; null: it is not over one. */
export const overLimit = async ({
  engine,
  operation,
  key,
  active,
  scenario,
}: ScenarioRequest): Promise<ScenarioResponse | null> => {
  const limiting = active.findLast(each => each.scenario.limit !== undefined)
  const left = limiting?.counters.secondsOverLimit(key) ?? null
  const { limit } = limiting?.scenario ?? {}
  if (left === null || limit === undefined) return null
  const seconds = Math.max(1, Math.ceil(left))
  const reason = reasonOf(scenario, {
    code: errorCodes.tooManyRequests,
    messages: [
      `the limit of ${limit.requests} requests in ${limit.seconds} s is reached: try again in ${seconds} s`,
    ],
  })
  const failure = await failBy(engine, operation, 429, reason, scenario.undeclared === true)
  return {
    response: withHeader(failure, 'Retry-After', String(seconds)),
    notes: [`${failure.status} over the limit`],
  }
}
