import { isMeant } from '../answers/when.ts'
import { hashOf } from '../chance/hash.ts'
import type { Context } from '../engine/context.ts'
import type { JudgedRequest, MockRequest } from '../engine/request.ts'
import type { ActiveScenario, Scenario } from './registry.ts'

/** Which response a scenario has for its requests, apart from when and how that is sent. */
const choices = ['status', 'code', 'message', 'example', 'body', 'headers', 'breaks'] as const

const choosesResponse = ({ headers, ...scenario }: Scenario): boolean =>
  choices.some(key => scenario[key as keyof typeof scenario] !== undefined)

/** The scenarios that affect a request. */
export type Affecting = {
  /** The later ones last. */
  readonly active: readonly ActiveScenario[]
  /** Those of which the response can be seen: a later one does not respond in another way. */
  readonly seen: readonly ActiveScenario[]
}

/** Finds the scenarios that affect a request. One that responds in a way that is not seen keeps its turns (`times`). */
export const affecting = (
  on: readonly ActiveScenario[],
  context: Context,
  judged: JudgedRequest,
  key: string,
): Affecting => {
  const active: ActiveScenario[] = []
  const seen: ActiveScenario[] = []
  const later = { chooses: false, hasBody: false }
  for (const each of on.toReversed()) {
    const { scenario, counters } = each
    const hasBody = scenario.body !== undefined
    const chooses = choosesResponse(scenario)
    if (hasBody && scenario.status === undefined && judged.violations.length > 0) continue
    if (!isMeant(scenario.when, context, judged)) continue
    const isSeen = !chooses || !(later.hasBody || (later.chooses && hasBody))
    if (!isSeen && scenario.times !== undefined) continue
    if (!counters.isTurn(key)) continue
    active.unshift(each)
    if (isSeen) seen.unshift(each)
    later.chooses ||= chooses
    later.hasBody ||= hasBody
  }
  return { active, seen }
}

/**
 * Scenarios as one, of which the later ones win: key by key, but a body comes with the status and the headers of its own
 * scenario, and goes with them.
 */
export const merged = (scenarios: readonly Scenario[]): Scenario => {
  let whole: Scenario = {}
  for (const scenario of scenarios) {
    const isOther = choosesResponse(scenario) && (whole.body !== undefined || scenario.body !== undefined)
    const before = isOther ? withoutChoices(whole) : whole
    const headers = { ...before.headers, ...scenario.headers }
    whole = { ...before, ...scenario, ...(Object.keys(headers).length === 0 ? {} : { headers }) }
  }
  return whole
}

const withoutChoices = (scenario: Scenario): Scenario =>
  Object.fromEntries(
    Object.entries(scenario).filter(([key]) => key !== 'patch' && !choices.some(choice => choice === key)),
  )

// Enough to tell requests apart, and quick for large bodies.
const maxHashedBytes = 64 * 1024

/** The delay of a request in milliseconds: the same for equal requests, in whatever order they come. */
export const delayOf = (
  delay: NonNullable<Scenario['delay']>,
  { method, target, body }: MockRequest,
  seed: number,
): number => {
  if (typeof delay === 'number') return delay
  const [from, to] = delay
  const chance = hashOf(`${method} ${target}`, hashOf(body?.subarray(0, maxHashedBytes) ?? '', seed))
  return from + (chance % (to - from + 1))
}

/** Waits; false as soon as the client disconnects or the mock closes. */
export const wait = (milliseconds: number, { onDisconnect }: MockRequest): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => {
      stop?.()
      resolve(true)
    }, milliseconds)
    const stop = onDisconnect?.(() => {
      clearTimeout(timer)
      resolve(false)
    })
  })
