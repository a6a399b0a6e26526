import { errorCodes, header } from '../../spec/index.ts'
import { linesOf, withHeaders } from '../answers/compose.ts'
import { answerRequest } from '../answers/request.ts'
import { type MockResponse, withHeader } from '../engine/compiled-response.ts'
import type { Context, Handler, Middleware } from '../engine/context.ts'
import { judge } from '../engine/judge.ts'
import { reject } from '../engine/reject.ts'
import { clientHeader, type JudgedRequest, maxClientLength } from '../engine/request.ts'
import { respond } from '../engine/respond.ts'
import { atPace } from '../engine/stream-response.ts'
import { type Prefer, word } from '../preferences/prefer.ts'
import { paceOf, paceText } from '../streams/pace.ts'
import { affecting, delayOf, merged, wait } from './affecting.ts'
import {
  answerResponse,
  duplicate,
  patchedResponse,
  type ScenarioRequest,
  type ScenarioResponse,
} from './answer-response.ts'
import { checkScenario } from './check.ts'
import { fitted } from './check-against-contract.ts'
import { chosenResponse, isChosen, reasonOf } from './chosen-response.ts'
import { failBy } from './fail.ts'
import { partOf } from './read-text.ts'
import type { ActiveScenario, Scenario, ScenarioRegistry } from './registry.ts'

/** Applies the scenarios that are on for an operation, and those that a request prefers for itself. */
export const applyScenarios =
  (registry: ScenarioRegistry, seed: number): Middleware =>
  (context, next) => {
    const { document, prefer, request } = context
    if (document === null || (prefer === null && registry.isIdle())) return next(context)
    const { engine } = document
    const judged = judge(engine, context)
    if (judged === null) return next(context)
    const { operation } = judged
    const client = header(request.headers, clientHeader)
    const key = `${client?.slice(0, maxClientLength) ?? ''} ${operation.id}`
    const on = registry.activeFor(client, operation.id)
    const { active, seen } = affecting(on, context, judged, key)
    const preferred = preferredScenario(prefer)
    if (active.length === 0 && preferred.scenario === null && preferred.problems.length === 0)
      return next(context)
    if (preferred.problems.length > 0 && judged.violations.length === 0) {
      const reason = { code: errorCodes.preferenceWrong, messages: preferred.problems }
      return reject(engine, operation, 'parameter', reason, context)
    }
    const parts = active.map(({ scenario }) => fitted(engine.contract, operation, scenario))
    const scenario = merged(preferred.scenario === null ? parts : [...parts, preferred.scenario])
    const affected = { context, engine, judged, operation, key, active, scenario }
    tell(seen, context, judged)
    return applyTo(affected, preferred, seed, next)
  }

const tell = (seen: readonly ActiveScenario[], context: Context, judged: JudgedRequest): void => {
  const listeners = seen.flatMap(({ onRequest }) => onRequest ?? [])
  if (listeners.length === 0) return
  const request = answerRequest(context, judged)
  for (const listener of listeners) listener(request, judged.request.body?.length ?? 0)
}

const applyTo = async (
  affected: ScenarioRequest,
  preferred: PreferredScenario,
  seed: number,
  next: Handler,
): Promise<MockResponse> => {
  const { context, scenario } = affected
  const { expires, scopes } = scenario
  if (expires !== undefined || scopes !== undefined)
    context.terms = { seconds: expires ?? null, scopes: scopes ?? null }
  const { response: usual, notes } = await patchedResponse(affected, await responseOf(affected, next))
  const pace = paceOf(scenario.stream)
  const chosen = pace === null ? usual : await atPace(usual, pace)
  const made = scenario.body === undefined ? withHeaders(chosen, linesOf(scenario.headers)) : chosen
  const all = [...notes, ...preferred.problems]
  if (expires !== undefined) all.push(`tokens for ${expires} s`)
  if (scopes !== undefined) all.push(`tokens with the scopes ${scopes}`)
  const { fault, delay } = scenario
  const response = withApplied(
    made,
    appliedParts(context.prefer, preferred, key => isKept(key, made, affected)),
  )
  const ms = delay === undefined ? 0 : delayOf(delay, context.request, seed)
  if (delay !== undefined) all.push(`delay ${ms} ms`)
  if (pace !== null && made.paced !== undefined) all.push(paceText(pace))
  if (fault !== undefined) all.push(fault)
  if (ms > 0 && !(await wait(ms, context.request))) all.push('client disconnected')
  context.scenario = all.length === 0 ? null : all.join(', ')
  if (fault === 'malformed') return malformed(response)
  if (fault !== undefined) context.fault = fault
  return response
}

/** Whether a response shows a part of a scenario. */
const isKept = (
  key: keyof Scenario,
  { status, paced }: MockResponse,
  { scenario, judged }: ScenarioRequest,
): boolean => {
  if (key === 'code' || key === 'message') return isChosen(scenario) && status >= 400
  if (key === 'stream') return paced !== undefined
  return key !== 'unauthenticated' || judged.violations[0]?.part === 'credentials'
}

const withApplied = (response: MockResponse, applied: readonly string[]): MockResponse => {
  if (applied.length === 0) return response
  const before = header(response.headers, 'preference-applied')
  return withHeader(
    response,
    'Preference-Applied',
    [...(before === null ? [] : [before]), ...applied].join(', '),
  )
}

const responseOf = async (affected: ScenarioRequest, next: Handler): Promise<ScenarioResponse> => {
  const { context, engine, judged, active, scenario } = affected
  const limited = await overLimit(affected)
  if (limited !== null) return limited
  const { unauthenticated, breaks } = scenario
  const answering =
    scenario.body === undefined ? undefined : active.findLast(each => each.scenario.body !== undefined)
  if (answering !== undefined) return answerResponse(affected, answering)
  if (isChosen(scenario)) {
    const response = await chosenResponse(engine, judged, scenario)
    return { response, notes: [chosenNote(scenario, response)] }
  }
  const rejected = await duplicate(affected)
  if (rejected !== null) return rejected
  const respondUnder: Handler =
    unauthenticated === undefined
      ? current => respond(engine, current)
      : current => respond({ ...engine, unauthenticated }, current)
  const mutant = active.findLast(each => each.mutant !== null)?.mutant ?? null
  if (mutant !== null) return { response: await mutant(context, respondUnder), notes: [`breaks ${breaks}`] }
  if (unauthenticated !== undefined) {
    const isStranger = judged.violations[0]?.part === 'credentials'
    return {
      response: await respondUnder(context),
      notes: isStranger ? [`credentials by ${unauthenticated}`] : [],
    }
  }
  const response = await next(context)
  return { response, notes: context.scenario === null ? [] : [context.scenario] }
}

const chosenNote = ({ code, example }: Scenario, { status }: MockResponse): string =>
  [status, ...(code === undefined ? [] : [`code ${code}`]), ...(example === undefined ? [] : [example])].join(
    ' ',
  )

/** The response with a body that no parser takes for JSON. */
const malformed = (response: MockResponse): MockResponse => {
  if (header(response.headers, 'content-type') === null) return response
  const body = new Uint8Array(response.body.length + 1)
  body[0] = '{'.charCodeAt(0)
  body.set(response.body, 1)
  return { ...response, body }
}

/** The rejection of a request over the limit of its scenario; null: it is not over one. */
const overLimit = async ({
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
type PreferredScenario = { readonly scenario: Scenario | null; readonly problems: readonly string[] }

/** The scenario that a request has for itself: `Prefer: delay=200, fault=reset`. */
const preferredScenario = (prefer: Prefer | null): PreferredScenario => {
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
const appliedParts = (
  prefer: Prefer | null,
  { scenario }: PreferredScenario,
  isKept: (key: keyof Scenario) => boolean,
): readonly string[] =>
  scenario === null
    ? []
    : Object.entries(parts).flatMap(([name, key]) =>
        scenario[key] !== undefined && isKept(key) ? [`${name}=${word(prefer?.values.get(name) ?? '')}`] : [],
      )
