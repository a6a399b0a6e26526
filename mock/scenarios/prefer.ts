import { type Prefer, word } from '../preferences/prefer.ts'
import { checkScenario } from './check.ts'
import { partOf } from './read-text.ts'
import type { Scenario } from './scenario.ts'

/** Preferences that are parts of a scenario for one request; `code` is the status there, as in Prism. */
const parts: Readonly<Record<string, keyof Scenario>> = {
  delay: 'delay',
  fault: 'fault',
  stream: 'stream',
  error: 'code',
  message: 'message',
  unauthenticated: 'unauthenticated',
}

/** What a client prefers. `problems`: what is wrong with parts that are none; the request is rejected if it is valid otherwise. */
export type PreferredScenario = { readonly scenario: Scenario | null; readonly problems: readonly string[] }

/** The scenario that a request has for itself: `Prefer: delay=200, fault=reset`. */
export const preferredScenario = (prefer: Prefer | null): PreferredScenario => {
  const valid: [string, unknown][] = []
  const problems: string[] = []
  for (const [name, key] of Object.entries(parts)) {
    const text = prefer?.values.get(name)
    if (text === undefined) continue
    const value = partOf(key, text)
    // A failure's number is `code` in a scenario, and `error` here.
    const wrong = checkScenario({ [key]: value }).map(problem => problem.replace(key, name))
    problems.push(...wrong.map(problem => `the preference ${problem}`))
    if (wrong.length === 0) valid.push([key, value])
  }
  return { scenario: valid.length === 0 ? null : (Object.fromEntries(valid) as Scenario), problems }
}

/** The preferences that a response keeps besides those that choose it, for Preference-Applied: `delay=200`. */
export const appliedParts = (
  prefer: Prefer | null,
  { scenario }: PreferredScenario,
  isKept: (key: keyof Scenario) => boolean,
): readonly string[] =>
  scenario === null
    ? []
    : Object.entries(parts).flatMap(([name, key]) =>
        scenario[key] !== undefined && isKept(key) ? [`${name}=${word(prefer?.values.get(name) ?? '')}`] : [],
      )
