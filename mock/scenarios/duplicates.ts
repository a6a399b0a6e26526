import { canonical, errorCodes, isObject, type Json } from '../../spec/index.ts'
import { identityNameOf } from '../rules/identity-name.ts'
import { reasonOf } from './chosen-response.ts'
import { failBy } from './fail.ts'
import type { ScenarioRequest, ScenarioResponse } from './scenario-request.ts'

/** The rejection of a valid request whose identity was sent before; null: it is accepted. */
export const duplicate = async ({
  context,
  engine,
  judged,
  operation,
  key,
  active,
  scenario,
}: ScenarioRequest): Promise<ScenarioResponse | null> => {
  const rejecting = active.findLast(each => each.scenario.duplicates === 'reject')
  const name = identityNameOf({ contract: engine.contract, operation })
  if (rejecting === undefined || name === undefined || scenario.duplicates !== 'reject') return null
  const { body, violations } = judged
  if (violations.length > 0 || context.request.tooLarge || !isObject(body) || body[name] === undefined)
    return null
  const identity = canonical(body[name] as Json)
  if (!rejecting.counters.isKnown(key, identity)) return null
  const reason = reasonOf(scenario, {
    code: errorCodes.identityTaken,
    messages: [`/${name} ${identity.slice(0, 100)} is already taken`],
  })
  const response = await failBy(engine, operation, 409, reason, scenario.undeclared === true)
  return { response, notes: [`${response.status} duplicate`] }
}
