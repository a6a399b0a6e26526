import {
  isBlocking,
  type ObligationId,
  type Outcome,
  outcomeText,
  type Repeat,
  type Subject,
  statusOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { beyondPlan } from '../cases/case.ts'
import { isOfName } from '../judge/expected-status.ts'
import { signature } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { answerOf, isSameAnswer } from '../judge/server-words.ts'
import { isConflict } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import { absenceReason } from './absence.ts'
import { controlOf, writtenPlainly } from './control.ts'
import { loadReason, passesAlone } from './group.ts'
import { minimise } from './minimise.ts'
import { failsAsAny, isCostly, type NotSent, resend } from './resend.ts'
import type { ConfirmOptions, UndocumentedRule } from './resend-options.ts'

/** An incident that was sent again. */
export type Confirmed = {
  readonly incident: Incident
  /** `steady`: it came every time, and was minimised, if there was time; `unrepeated`: it was not sent again, or the answer was to another question. */
  readonly repeat: Repeat
  /** A rule of the server's own for which it rejected the request; absent if none was found. */
  readonly rule?: UndocumentedRule
  /** Why it shows nothing; absent if it shows something. */
  readonly excuse?: string
  /** Whether it came again, but there was no time to find out what it came for. */
  readonly isBlameOpen?: true
  /** Whether it came only while other requests were in flight. */
  readonly isOfLoad?: boolean
  /** Requirements that its requests meet once they are without what they were rejected for. */
  readonly met?: readonly ObligationId[]
  /** Equal for incidents of one cause. */
  readonly key: string
}

const repeats = 2
const variedRepeats = 3
const candidates = 3

/** Whether it shows only that something did not come in the time that it got: a busy machine is late as well. */
export const isOfWaiting = ({ outcome, violation }: Incident): boolean =>
  violation.waited === true || (outcome.kind === 'failure' && outcome.hurried === true)

/**
 * What may only have been late comes last. Planned cases come before others, then those with a smaller body: they are minimised faster
 * and say more. Of equal ones the first of the plan, whichever was sent first.
 */
export const smallestFirst = (left: Incident, right: Incident): number =>
  Number(isOfWaiting(left)) - Number(isOfWaiting(right)) ||
  Number(left.testCase.number >= beyondPlan) - Number(right.testCase.number >= beyondPlan) ||
  (left.testCase.request.body?.length ?? 0) - (right.testCase.request.body?.length ?? 0) ||
  left.testCase.number - right.testCase.number

/**
 * Sends incidents again until one violates the obligation every time; then minimises it. Null if there are none. Whether one came again is
 * known only if it was sent again.
 */
export const confirmIncidents = async (
  obligation: string,
  incidents: readonly Incident[],
  options: ConfirmOptions,
): Promise<Confirmed | null> => {
  const sorted = [...incidents].sort(smallestFirst)
  let flaky: Incident | null = null
  for (const incident of sorted.slice(0, candidates)) {
    const repeated = await repeat(obligation, incident, options)
    if (repeated === 'not-sent') continue
    if (repeated !== null) {
      // What a workflow sends is given, and what a callback has does not follow from the request: neither can be smaller.
      const { subject, id } = repeated.testCase.obligation
      if (subject.kind === 'flow' || subject.kind === 'callback')
        return { repeat: 'steady', incident: repeated, key: `${subject.kind} ${id}` }
      const blame = await options.blameOf(repeated, options)
      // What is wrong with a response is wrong whatever it was sent for.
      const isOfRequest = repeated.violation.subject.kind !== 'response'
      const isAbsent =
        blame.kind === 'absence' || (blame.kind === 'any' && isOfName(repeated.testCase.obligation))
      if (isOfRequest && isAbsent) return excused(repeated, absenceReason)
      if (isOfRequest && blame.kind === 'any') return ofAnyRequest(repeated, blame.control, options)
      if (isOfRequest && blame.kind === 'unknown')
        return { repeat: 'steady', incident: repeated, isBlameOpen: true, key: openKey(repeated) }
      const rule = blame.kind === 'rule' ? blame.rule : null
      const minimised = await minimise(obligation, repeated, incident, options)
      return { repeat: 'steady', ...minimised, ...(rule === null ? {} : { rule }) }
    }
    flaky ??= incident
  }
  if (flaky === null) return unrepeated(sorted)
  const confirmed: Confirmed = {
    incident: flaky,
    repeat: 'flaky',
    key: `flaky ${signature(flaky.outcome)}`,
  }
  return (await passesAlone(flaky, options))
    ? { ...confirmed, excuse: loadReason, isOfLoad: true }
    : confirmed
}

const unclearReason =
  'the server rejects the same request without this as well, so the rejection shows nothing about it'

const excused = (incident: Incident, excuse: string): Confirmed => ({
  incident,
  repeat: 'steady',
  key: `excused ${signature(incident.outcome)}`,
  excuse,
})

/** The control in place of the incident, as one of any valid request, if it fails again as that. */
const ofAnyRequest = async (
  incident: Incident,
  control: Sent,
  options: ConfirmOptions,
): Promise<Confirmed> => {
  const { any, hasAccepted } = options
  const none = excused(incident, unclearReason)
  if (any === null || !hasAccepted) return none
  const again = await failsAsAny(any.id, control.testCase, any, options)
  if (again === null || !isSameAnswer(again, incident)) return none
  const minimised = await minimise(any.id, again, incident, options)
  const { outcome } = minimised.incident
  const rule: UndocumentedRule = {
    key: `any ${answerOf(again)}`,
    parts: [],
    title: outcomeText(outcome, 'a valid request', 'accept'),
    hint: 'It is rejected whatever the cases are about: see what the response says, and put that rule into the document, or accept it.',
    answer: answerOf(again),
  }
  return { repeat: 'steady', ...minimised, rule }
}

/** What is shown of an undeclared status: if the same request without what the case is about gets it as well, that plain request. */
export const shownPlainly = async (
  obligation: string,
  confirmed: Confirmed,
  options: ConfirmOptions,
): Promise<Confirmed> => {
  const { incident, repeat } = confirmed
  const { testCase } = incident
  const { model, sender, any } = options
  // With the right credentials in place of wrong ones it is a valid request; without what else makes it invalid it is another one.
  const isInvalid = testCase.expectation === 'reject' && testCase.cause !== 'credentials'
  if (any === null || repeat !== 'steady' || isInvalid) return confirmed
  const spec = controlOf(testCase, model) ?? writtenPlainly(testCase.spec, model)
  const control = sender.validVariant(testCase, { ...spec, credentials: null })
  if (control === null) return confirmed
  const again = await failsAsAny(obligation, control, any, options)
  return again === null || !isSameAnswer(again, incident) ? confirmed : { ...confirmed, incident: again }
}

/** The first incident, as it was not sent again. */
export const unrepeated = ([first]: readonly Incident[]): Confirmed | null =>
  first === undefined ? null : { incident: first, repeat: 'unrepeated', key: openKey(first) }

const openKey = ({ outcome }: Incident): string => `open ${signature(outcome)}`

/** Whether nobody has asked what it came for. */
export const isUnasked = ({ repeat, isBlameOpen }: Confirmed): boolean =>
  repeat === 'unrepeated' || isBlameOpen === true

/** Whether it is known what it came for, as far as requests can show that. */
export const isSettled = ({ repeat, isBlameOpen }: Confirmed): boolean =>
  repeat === 'steady' && isBlameOpen !== true

/**
 * A creation may be answered differently if it comes again: then it says more with other values. What fails by chance does not fail with
 * all of them.
 */
const resendVaried = async (
  obligation: string,
  testCase: TestCase,
  options: ConfirmOptions,
): Promise<Incident | null | NotSent> => {
  if (testCase.spec.method !== 'POST' || testCase.expectation !== 'accept') return null
  let last: Incident | null = null
  for (let time = 0; time < variedRepeats; time++) {
    const varied = options.sender.varied(testCase)
    const again = varied === testCase ? null : await resend(obligation, varied, varied.spec, options)
    if (again === null || again === 'not-sent') return null
    last = again
  }
  return last
}

const repeat = async (
  obligation: string,
  incident: Incident,
  options: ConfirmOptions,
): Promise<Incident | null | NotSent> => {
  const {
    testCase,
    outcome,
    violation: { subject },
  } = incident
  // It was alone when it hung, and each time more keeps the server busy for as long.
  if (isBlocking(outcome)) return incident
  let last: Incident | NotSent = 'not-sent'
  let answer = outcome
  const answered = (other: Outcome): void => {
    answer = other
  }
  const times = isCostly(outcome) ? 1 : repeats
  for (let time = 0; time < times; time++) {
    // What was rejected may come again as it was; other values would be another question.
    const isRejected =
      outcome.kind === 'response' &&
      outcome.response.status >= 400 &&
      (outcome.response.status < 500 || isConflict(outcome))
    const exact = isRejected
      ? await resend(obligation, testCase, testCase.spec, options, { isExact: true, answered })
      : ('not-sent' as const)
    const again =
      (exact === 'not-sent'
        ? await resend(obligation, testCase, testCase.spec, options, { answered })
        : exact) ?? (await resendVaried(obligation, testCase, options))
    // Once is enough to say that it came again.
    if (again === 'not-sent') return last
    // A server that has carried out the first may reject the second as a repetition, which is another answer to another question.
    if (again === null || (isSuccessful(outcome) && !isSuccessful(again.outcome)))
      return isOtherQuestion(subject, outcome, answer) ? last : null
    last = again
  }
  return last
}

/**
 * Whether the answer to a repetition says nothing about what the first showed: what is wrong with a response of one status does not show in
 * one of another, what a server has carried out may be a conflict the second time, and what was one may not be.
 */
const isOtherQuestion = (subject: Subject, first: Outcome, again: Outcome): boolean => {
  // What had the value may be gone.
  if (statusOf(first) >= 500 && isConflict(first)) return true
  if (!isSuccessful(first) || again.kind === 'failure') return false
  const { status } = again.response
  const isOfStatus = subject.kind === 'response' && 'status' in subject
  return status === 409 || (isOfStatus && status >= 400 && status < 500)
}

const isSuccessful = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status < 400
