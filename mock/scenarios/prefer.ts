import type { Prefer } from '../engine/prefer.ts'
import { checkScenario } from './check.ts'
import { partOf } from './read-text.ts'
import type { Scenario } from './scenario.ts'

/** Preferences that are parts of a scenario for one request; `code` is the status there, as in Prism. */
const parts: Readonly<Record<string, keyof Scenario>> = {
  delay: 'delay',
  fault: 'fault',
  error: 'code',
  message: 'message',
  unauthenticated: 'unauthenticated',
}

/** What a client prefers. Invalid parts are ignored, and reported in `problems`. */
export type PreferredScenario = { readonly scenario: Scenario | null; readonly problems: readonly string[] }

/** The scenario that a request has for itself: `Prefer: delay=200, fault=reset`. */
export const preferredScenario = (prefer: Prefer | null): PreferredScenario => {
  const valid: [string, unknown][] = []
  const problems: string[] = []
  for (const [name, key] of Object.entries(parts)) {
    const text = prefer?.values.get(name)
    if (text === undefined) continue
    const value = partOf(key, text)
    const wrong = checkScenario({ [key]: value })
    problems.push(...wrong.map(problem => `Prefer ignored: ${problem}`))
    if (wrong.length === 0) valid.push([key, value])
  }
  return { scenario: valid.length === 0 ? null : (Object.fromEntries(valid) as Scenario), problems }
}
