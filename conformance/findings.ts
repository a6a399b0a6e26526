import {
  canonical,
  curlCommand,
  type Finding,
  isArray,
  isObject,
  type Json,
  type Obligation,
  type Outcome,
  recordOutcome,
  recordRequest,
  type Secret,
  setAt,
  step,
  type Unauthenticated,
} from '../spec/index.ts'
import type { Asker } from './ask.ts'
import { beyondPlan, type Case, caseId } from './case.ts'
import { hintFor } from './hint.ts'
import { judgeCase } from './judge-case.ts'
import type { Model } from './model.ts'
import type { Incident } from './observe.ts'
import { signature } from './saying.ts'
import { shrink } from './shrink.ts'

/** An incident that was sent again, and made small. */
export type Confirmed = {
  readonly incident: Incident
  readonly repeat: 'steady' | 'flaky'
  /** Equal for incidents of one cause. */
  readonly key: string
}

export type ConfirmOptions = {
  readonly model: Model
  readonly asker: Asker
  readonly policy: Unauthenticated
  readonly budget: Budget
}

/** Requests that confirming and shrinking may still send. */
export type Budget = { left: number }

const repeats = 2

const isCostly = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && (outcome.failure === 'timeout' || outcome.failure === 'too-large')

/**
 * What was planned before the rest; then those with less in them: they shrink faster and say more. Of equal ones the
 * first of the plan, whichever came first.
 */
export const smallestFirst = (left: Incident, right: Incident): number =>
  Number(left.asked.number >= beyondPlan) - Number(right.asked.number >= beyondPlan) ||
  (left.asked.request.body?.length ?? 0) - (right.asked.request.body?.length ?? 0) ||
  left.asked.number - right.asked.number

/** Sends incidents again until one shows the same flaw every time; then shrinks it. */
export const confirm = async (
  id: string,
  incidents: readonly Incident[],
  options: ConfirmOptions,
): Promise<Confirmed | null> => {
  const sorted = [...incidents].sort(smallestFirst)
  for (const incident of sorted.slice(0, 3)) {
    const again = await showsAgain(id, incident, options)
    if (again !== null) return small(id, again, options)
  }
  return unconfirmed(sorted)
}

/** What did not come again, or was not sent again. */
export const unconfirmed = ([first]: readonly Incident[]): Confirmed | null =>
  first === undefined ? null : { incident: first, repeat: 'flaky', key: `flaky ${signature(first.outcome)}` }

const showsAgain = async (
  id: string,
  { asked, outcome }: Incident,
  options: ConfirmOptions,
): Promise<Incident | null> => {
  let last: Incident | null = null
  // A request that hangs costs the whole timeout: once is enough.
  const times = isCostly(outcome) ? 1 : repeats
  for (let time = 0; time < times; time++) {
    last = await attempt(id, asked, asked.draft, options)
    if (last === null) return null
  }
  return last
}

const attempt = async (
  id: string,
  asked: Case,
  draft: Case['draft'],
  { model, asker, policy, budget }: ConfirmOptions,
): Promise<Incident | null> => {
  const renewed = asker.renew(asked, draft)
  if (renewed === null) return null
  budget.left -= 1
  const outcome = await asker.send(renewed)
  const { own, others } = judgeCase(model, renewed, outcome, policy)
  const flaw = [own, ...others].find(found => found?.id === id) ?? null
  return flaw === null ? null : { asked: renewed, outcome, flaw }
}

const small = async (id: string, incident: Incident, options: ConfirmOptions): Promise<Confirmed> => {
  const { budget, model } = options
  const wanted = signature(incident.outcome)
  const hangs = isCostly(incident.outcome)
  const simple = hangs ? incident : await simplified(id, incident, options)
  const { draft } = simple.asked
  const name = draft.renewable ? model.identity?.name : undefined
  // To a part of its request an open question is another one.
  const isPin = simple.asked.obligation.pin?.obligation === id
  const shrinkable =
    !isPin && draft.wire === null && (draft.encoding.kind === 'json' || draft.encoding.kind === 'layout')
  // Each try of a request that hangs takes the whole timeout.
  const limit = !shrinkable || hangs ? 0 : Math.max(0, Math.min(60, budget.left))
  const { smallest } = await shrink(
    { body: withoutIdentity(draft.body, name), incident: simple },
    async candidate => {
      const body = name !== undefined && isObject(candidate) ? { [name]: 0, ...candidate } : candidate
      const next = await attempt(id, simple.asked, { ...draft, body }, options)
      return next !== null && signature(next.outcome) === wanted ? { body: candidate, incident: next } : null
    },
    limit,
  )
  return {
    incident: smallest.incident,
    repeat: 'steady',
    key: causeKey(smallest.incident, smallest.body, wanted),
  }
}

/** What is special about how a valid request is sent is left off where it fails without that as well. */
const simplified = async (id: string, incident: Incident, options: ConfirmOptions): Promise<Incident> => {
  const { asked } = incident
  const { draft } = asked
  if (asked.expected !== 'accepted' || draft.body === undefined || draft.wire !== null) return incident
  const contentType = options.model.body?.media.type ?? null
  const plain = {
    ...draft,
    encoding: { kind: 'json' },
    contentType,
    chunked: false,
    credentials: null,
  } as const
  const candidates: readonly Case['draft'][] = [
    ...(draft.encoding.kind === 'text' ? [] : [plain]),
    // An edge of the identity's range that fails as any other value does is not to blame.
    ...(options.model.identity !== null && !draft.renewable ? [{ ...plain, renewable: true }] : []),
  ]
  let simplest = incident
  for (const candidate of candidates) {
    const next = await attempt(id, { ...asked, lane: 'any' }, candidate, options)
    if (next !== null && signature(next.outcome) === signature(incident.outcome)) simplest = next
  }
  return simplest
}

const withoutIdentity = (body: Json | undefined, name: string | undefined): Json | undefined =>
  name !== undefined && isObject(body) ? setAt(body, step('', name), undefined) : body

/** Two flaws with the same smallest request and the same answer have one cause. */
const causeKey = ({ asked }: Incident, body: Json | undefined, answered: string): string => {
  const { draft, expected, lane } = asked
  const encoding =
    draft.encoding.kind === 'malformed'
      ? draft.encoding.name
      : draft.encoding.kind === 'layout'
        ? draft.encoding.layout
        : draft.encoding.kind
  return [
    expected,
    answered,
    lane,
    draft.method,
    draft.path,
    JSON.stringify(draft.parameters),
    body === undefined ? '' : canonical(plainStrings(body)),
    encoding,
    draft.contentType,
    draft.chunked,
    draft.credentials?.kind.name ?? '',
  ].join(' ')
}

// Labels differ from case to case and mean nothing.
const plainStrings = (value: Json): Json => {
  if (isArray(value)) return value.map(plainStrings)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainStrings(item)]))
  return typeof value === 'string' && /^[aqw][0-9a-z]*$/.test(value) ? 'a' : value
}

export type FindingOptions = {
  readonly base: string
  readonly tokens: readonly Secret[]
}

/** Tells a confirmed group as a finding: the five answers, and what else breaks for the same cause. */
export const toFinding = (
  primary: Obligation,
  also: readonly string[],
  { incident, repeat }: Confirmed,
  cases: number,
  { base, tokens }: FindingOptions,
): Finding => {
  const { asked, outcome, flaw } = incident
  return {
    type: 'finding',
    id: caseId(asked.number),
    obligation: primary.id,
    level: primary.level,
    also,
    wanted: flaw.wanted,
    got: flaw.got,
    repeat,
    cases,
    expected: asked.expected,
    request: recordRequest(asked.request, Number.POSITIVE_INFINITY),
    outcome: recordOutcome(outcome, tokens, 65_536),
    curl: curlCommand(asked.request, base),
    hint: hintFor(primary, asked, outcome),
  }
}

/** The obligation that speaks for a group: the strictest level, then the first in the contract. */
export const primaryOf = (obligations: readonly Obligation[]): Obligation =>
  obligations.find(({ level }) => level === 'MUST') ??
  obligations.find(({ level }) => level === 'SHOULD') ??
  (obligations[0] as Obligation)

export const isUndeclared = (model: Model, outcome: Outcome): boolean =>
  outcome.kind === 'failure' ||
  model.judgeAnswer(outcome.answer, undefined).some(({ id }) => id.endsWith('/response/declared'))
