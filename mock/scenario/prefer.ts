import { type Headers, headerValues } from '../../spec/index.ts'
import { checkScenario } from './check.ts'
import { readPairs } from './pairs.ts'
import { partOf } from './read-text.ts'
import type { Scenario } from './scenario.ts'

/** What `Prefer` calls the parts of a scenario that are about one request alone; `code` is the status there, as Prism has it. */
const keys: ReadonlyMap<string, keyof Scenario> = new Map([
  ['delay', 'delay'],
  ['fault', 'fault'],
  ['error', 'code'],
  ['message', 'message'],
  ['unauthenticated', 'unauthenticated'],
])

export type Preferred = { readonly scenario: Scenario | null; readonly problems: readonly string[] }

/**
 * Reads the scenario that a request asks for by `Prefer: delay=200, fault=reset` (RFC 7240). What is not known there is
 * for others; what is wrong is passed over, and told in `problems`.
 */
export const preferredScenario = (headers: Headers): Preferred => {
  const pairs = headerValues(headers, 'prefer').flatMap(text => readPairs(text) ?? [])
  const own = pairs.flatMap(({ name, value }) => {
    const key = keys.get(name.toLowerCase())
    return key === undefined ? [] : [[key, partOf(key, value ?? '')] as const]
  })
  // Of a preference that is given twice the first counts (RFC 7240 2).
  const given = own.filter(([key], index) => own.findIndex(([other]) => other === key) === index)
  const problems = given.flatMap(([key, value]) => checkScenario({ [key]: value }))
  const right = given.filter(([key, value]) => checkScenario({ [key]: value }).length === 0)
  return {
    scenario: right.length === 0 ? null : (Object.fromEntries(right) as Scenario),
    problems: problems.map(problem => `Prefer ignored: ${problem}`),
  }
}
