import { fewest } from '../../generator/index.ts'
import {
  canonical,
  isArray,
  isObject,
  type Json,
  mostClientFields,
  sameJson,
  setAt,
  step,
} from '../../spec/index.ts'
import type { Precondition, RequestSpec, SpareStep } from '../cases/case.ts'
import { withFiles } from '../cases/files.ts'
import { comesFromClients } from '../cases/from-clients.ts'
import { signature } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { isSameAnswer } from '../judge/server-words.ts'
import { spareSteps } from '../state/chains.ts'
import { isControlAccepted, testedValue, writtenPlainly } from './control.ts'
import { failsAgain, isCostly } from './resend.ts'
import type { ConfirmOptions } from './resend-options.ts'
import { shrink } from './shrink.ts'

/** Requests that are tried to make one body smaller. */
const mostTries = 60

export type Minimised = {
  readonly incident: Incident
  /** Equal for incidents whose smallest request and outcome are alike: they have one cause. */
  readonly key: string
}

/**
 * Finds the smallest request with the same answer: another status, or other words of the server, would show another fault. `before`: how
 * it failed when it was sent before; a server that said something else then may say anything.
 */
export const minimise = async (
  obligation: string,
  repeated: Incident,
  before: Incident,
  options: ConfirmOptions,
): Promise<Minimised> => {
  // Each try of a request that hangs costs the whole timeout.
  const isHanging = isCostly(repeated.outcome)
  const incident = isHanging ? repeated : await withFewestSteps(obligation, repeated, options)
  const outcome = signature(incident.outcome)
  const hasWords = isSameAnswer(incident, before)
  const isAlike = (next: Incident): boolean =>
    signature(next.outcome) === outcome && (!hasWords || isSameAnswer(next, incident))
  const simple = isHanging ? incident : await simplify(obligation, incident, isAlike, options)
  const { testCase } = simple
  const { spec } = testCase
  const name = spec.renewable ? options.model.identity?.name : undefined
  // A part of the request would ask another question than the pinned one.
  const isPin = testCase.obligation.pin?.obligation === obligation
  const isShrinkable =
    !isHanging &&
    !isPin &&
    spec.malformedHttp === null &&
    (spec.encoding.kind === 'json' || spec.encoding.kind === 'layout')
  const kinds = options.failedKindsOf(simple)
  // A smaller request that belongs to another failing kind would show the fault of that kind.
  const isOfOtherKind = (next: Incident): boolean =>
    options.failedKindsOf(next).some(kind => !kinds.includes(kind))
  const smallest = await shrink(
    { body: withoutProperty(spec.body, name), incident: simple },
    async candidate => {
      const body = name !== undefined && isObject(candidate) ? { [name]: 0, ...candidate } : candidate
      // Another value at the tested place would show another fault.
      if (!sameValue(testedValue(testCase, body), testedValue(testCase, spec.body))) return null
      // A part of a file is no file.
      if (body !== undefined && !sameJson(withFiles(options.model, body), body)) return null
      const next = await failsAgain(obligation, testCase, { ...spec, body }, options)
      return next !== null &&
        isAlike(next) &&
        !isOfOtherKind(next) &&
        (await isControlAccepted(next, options))
        ? { body: candidate, incident: next }
        : null
    },
    isShrinkable ? Math.max(0, Math.min(mostTries, options.budget.left)) : 0,
  )
  return { incident: smallest.incident, key: causeKey(smallest.incident, smallest.body, outcome) }
}

/** What is special about how a valid request is sent, or about who sends an invalid one, goes if the request fails without it as well. */
const simplify = async (
  obligation: string,
  incident: Incident,
  isAlike: (next: Incident) => boolean,
  options: ConfirmOptions,
): Promise<Incident> => {
  const { testCase } = incident
  const { spec, expectation } = testCase
  const again = async (candidate: RequestSpec, precondition: Precondition): Promise<Incident | null> => {
    const next = await failsAgain(obligation, { ...testCase, precondition }, candidate, options)
    return next !== null && isAlike(next) ? next : null
  }
  if (spec.extra.length > 0 && comesFromClients(testCase.obligation, spec))
    return withFewestFields(incident, extra => again({ ...spec, extra }, testCase.precondition))
  if (expectation !== 'accept' || spec.body === undefined || spec.malformedHttp !== null) return incident
  const plain = writtenPlainly(spec, options.model)
  const candidates = [
    ...(spec.encoding.kind === 'text' ? [] : [plain]),
    // A boundary value of the identity is not to blame if any other value fails like it.
    ...(options.model.identity !== null && !spec.renewable ? [{ ...plain, renewable: true }] : []),
  ]
  let simplest = incident
  for (const candidate of candidates) simplest = (await again(candidate, 'none')) ?? simplest
  return simplest
}

/** The incident with as few fields of a client as still fail: without any, or without half of them, a quarter, and so on. */
const withFewestFields = async (
  incident: Incident,
  again: (extra: RequestSpec['extra']) => Promise<Incident | null>,
): Promise<Incident> => {
  const bare = await again([])
  if (bare !== null || isCostly(incident.outcome)) return bare ?? incident
  let fewest = incident
  let { extra } = incident.testCase.spec
  for (let size = Math.ceil(extra.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < extra.length; ) {
      const fewer = extra.toSpliced(at, size)
      const next = await again(fewer)
      if (next === null) at += size
      else [fewest, extra] = [next, fewer]
    }
  return fewest
}

const sameValue = (left: Json | undefined, right: Json | undefined): boolean =>
  left === undefined || right === undefined ? left === right : sameJson(left, right)

const withoutProperty = (body: Json | undefined, name: string | undefined): Json | undefined =>
  name !== undefined && isObject(body) ? setAt(body, step('', name), undefined) : body

const causeKey = (
  { testCase: { spec, expectation, precondition } }: Incident,
  body: Json | undefined,
  outcome: string,
): string =>
  [
    expectation,
    outcome,
    precondition,
    spec.method,
    spec.path,
    JSON.stringify(spec.parameters),
    body === undefined ? '' : canonical(withoutLabels(body)),
    encodingName(spec),
    spec.contentType,
    spec.chunked,
    // A limit on their number has nothing to do with any one of them.
    spec.extra.length > mostClientFields ? 'many fields' : '',
    spec.credentials?.kind.name ?? '',
  ].join(' ')

const encodingName = ({ encoding }: RequestSpec): string => {
  if (encoding.kind === 'malformed') return encoding.name
  return encoding.kind === 'layout' ? encoding.layout : encoding.kind
}

// Labels differ from case to case and mean nothing.
const withoutLabels = (value: Json): Json => {
  if (isArray(value)) return value.map(withoutLabels)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutLabels(item)]))
  return typeof value === 'string' && /^[aqw][0-9a-z]*$/.test(value) ? 'a' : value
}

/**
 * The incident with the fewest steps of its chain that show the same: what fails without a read before it is no fault of a cache, and what
 * one neighbour suffers needs no other. Each try is a whole chain on the server.
 */
const withFewestSteps = (
  obligation: string,
  incident: Incident,
  options: ConfirmOptions,
): Promise<Incident> => {
  const { testCase } = incident
  const spare = spareSteps(options.model, testCase)
  return fewest<SpareStep, Incident>(spare, incident, async rest => {
    // The chain asks nothing without any neighbour.
    if ((rest.length === 0 && spare.includes('before')) || options.budget.left <= 0) return null
    const leftOut = spare.filter(step => !rest.includes(step))
    const next = await failsAgain(obligation, { ...testCase, leftOut }, testCase.spec, options)
    return next !== null && shownBy(next) === shownBy(incident) ? next : null
  })
}

/** What is wrong, and the outcome of the step that shows it, without values that differ from resource to resource. */
const shownBy = ({ testCase: { chain }, outcome, violation: { step, title = '' } }: Incident): string => {
  const shows = step === undefined ? outcome : (chain?.steps[step]?.outcome ?? outcome)
  return `${signature(shows)} ${title.replace(/"[^"]*"|\d+/g, '')}`
}
