import { type Obligation, statusOf, type ValueLocation } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { renderRequest } from '../cases/render.ts'
import { answersCondition, isOfName, isOfNothing } from '../judge/expected-status.ts'
import { signature } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { isSameAnswer } from '../judge/server-words.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import { isAbsent } from './absence.ts'
import {
  asLongControl,
  branchControl,
  controlOf,
  plainOf,
  plainValuesOf,
  wasAccepted,
  writtenPlainly,
} from './control.ts'
import {
  alternatives,
  createOtherThan,
  type Difference,
  differences,
  needed,
  oneTooMany,
  simplest,
  valueIn,
  withValues,
} from './differences.ts'
import { isAbout, isGeneral, isOf, isStillOf } from './failed-kinds.ts'
import type { Blame, ResendOptions, UndocumentedRule } from './resend-options.ts'
import { combinedRule, ruleFor, textRule } from './undocumented-rules.ts'

const ofCase: Blame = { kind: 'case' }

/** Plain values that are tried in place of a rejected one. */
const mostPlain = 3

/** The rejections that show a rule: what has no body or credentials is rejected for that. */
const isRejection = ({ testCase, outcome }: Incident): boolean =>
  testCase.expectation === 'accept' &&
  outcome.kind === 'response' &&
  outcome.response.status >= 400 &&
  !answersCondition(testCase, outcome.response.status)

/**
 * Finds out what a valid request was rejected for. It is a rule that the document does not have if the same request without what its case
 * is about is rejected as well, and one with what an accepted request has is accepted. `accepted`: a request that the server accepted;
 * null if there is none. `failed`: what valid requests failed of the operation, some of them or all; `passed`: whether some met it.
 */
export const createBlame = (
  accepted: TestCase | null,
  failed: readonly Obligation[],
  passed: (id: string) => boolean,
): ((incident: Incident, options: ResendOptions) => Promise<Blame>) => {
  let known: readonly Difference[] = []
  const otherThan = createOtherThan()
  const find = async (incident: Incident, options: ResendOptions, onCut: () => void): Promise<Blame> => {
    const [{ testCase, outcome }, { model }] = [incident, options]
    if (isUnlocked(testCase) && isAbsence(statusOf(outcome)))
      return (await isAbsentAnyway(incident, options)) ? { kind: 'absence' } : ofCase
    const isLost = outcome.kind === 'failure' && outcome.failure === 'reset'
    if (!isRejection(incident) && !(isLost && testCase.expectation === 'accept')) return ofCase
    // A server that accepts what exists may have any reason to reject a name that is made up.
    const isOfOther = accepted !== null && isOfNothing(model, testCase) && !isOfNothing(model, accepted)
    if (isAbsent(incident) || (isOfOther && statusOf(outcome) < 500)) return { kind: 'absence' }
    const ask = async (spec: RequestSpec, isExact = false): Promise<Sent | null> => {
      const isCut = options.budget.isOver()
      if (isCut) onCut()
      const variant = isCut ? null : options.sender.validVariant(testCase, spec)
      if (variant === null) return null
      options.budget.left -= 1
      const sent = await options.sender.send(isExact ? options.sender.exactly(variant) : variant)
      return sent.missing === undefined ? sent : null
    }
    const isTaken = (sent: Sent | null): boolean =>
      sent !== null && wasAccepted(model, sent) && signature(sent.outcome) !== signature(outcome)
    const isAccepted = async (spec: RequestSpec): Promise<boolean> => isTaken(await ask(spec))
    const isAlike = (sent: Sent | null): sent is Sent => sent !== null && isSameAnswer(sent, incident)
    const withoutIt = controlOf(testCase, model, accepted?.spec)
    const control = withoutIt === null ? null : await ask(withoutIt)
    const otherwise: Blame = isAlike(control) ? { kind: 'any', control } : ofCase
    if (isLost) return otherwise
    // A crash for a name is one for what does not exist.
    const isCrashOfName = isOfName(testCase.obligation) && statusOf(outcome) >= 500
    if (control !== null && !isAlike(control) && !isCrashOfName) {
      const rule = await lengthRule(incident, async spec => isAlike(await ask(spec)))
      if (rule !== null) return { kind: 'rule', rule }
    }
    const base = withoutIt ?? testCase.spec
    // What a case is about, or what went before it, is to blame if the request is accepted without that.
    if (accepted === null || isTaken(control ?? (await ask(base)))) return otherwise
    const plainBranch = branchControl(testCase, model)
    // Nor is it to blame if it is accepted with plain values.
    const reference = plainBranch !== null && (await isAccepted(plainBranch)) ? plainBranch : accepted.spec
    const parameterAt = (name: string): ValueLocation => parameterIn(name, options)
    const all = differences(parameterAt, base, reference)
    let asked = 0
    // A server may take the texts of the accepted request only once.
    const isRepaired = async (each: readonly Difference[], from = base): Promise<boolean> =>
      (await isAccepted(withValues(from, each))) ||
      (from.method === 'POST' &&
        each.some(({ value }) => typeof value === 'string') &&
        (await isAccepted(withValues(from, each.map(freshIn(`${testCase.number} ${asked++}`))))))
    /** Whether the one value without which it is accepted is rejected for what it is: a plain one in its place is accepted. */
    const isOfValue = async ([first, ...more]: readonly Difference[]): Promise<boolean> => {
      if (first === undefined || more.length > 0 || first.value !== undefined) return false
      for (const value of plainValuesOf(first.location, model).slice(0, mostPlain))
        if (await isAccepted(withValues(base, [{ ...first, value }]))) return true
      return false
    }
    const isKnown = known.length > 0 && (await isRepaired(known))
    // What the accepted request names may be gone by now, so that its values are no help.
    const enough = isKnown
      ? known
      : await needed(all, isRepaired).then(async some =>
          some.length > 0 ? some : await oneTooMany(base, isRepaired),
        )
    if (enough === null) return otherwise
    // A request of another kind differs in more than what counts.
    const found = isKnown || enough.length === 1 ? enough : ((await simplest(base, isRepaired)) ?? enough)
    // Another name in the path may be accepted because what has it exists.
    if (!options.stateless && found.some(({ location }) => location.in === 'path'))
      return statusOf(outcome) < 500 ? { kind: 'absence' } : ofCase
    const values = found.filter(({ isMissing }) => !isMissing)
    const tested = values.filter(({ location }) => isAbout(testCase.obligation, location))
    const isMet =
      tested.length === 0 &&
      isStillOf(testCase.obligation, withValues(testCase.spec, found), model) &&
      (withoutIt === null || (await isRepaired(found, testCase.spec)))
    const others = await alternatives(all, found, isRepaired)
    const rule = { ...ruleFor(found, base, incident, others), isOfValue: await isOfValue(found), isMet }
    const repaired = withValues(base, found)
    const [first] = values
    const isOne = first !== undefined && found.length === 1
    /** That it is rejected for what stands beside its value: requests of all kinds show that best. */
    const ofOthers = (location: ValueLocation, other: ValueLocation | null): Blame => {
      if (isGeneral(testCase.obligation)) return ofCase
      const general = failed.find(isGeneral)
      const isToldBy = general === undefined ? {} : { isToldBy: general.id }
      const combined = combinedRule(rule, location, other)
      return { kind: 'rule', rule: { ...combined, ...isToldBy } }
    }
    const other = isOne ? await otherThan(base, first.location, isRepaired) : null
    if (isOne && other !== null) return ofOthers(first.location, other)
    for (const { location } of tested) {
      // If a plain value is accepted, the one that the case is about is rejected for what it is. One that is of the same kind shows nothing.
      const plain = plainOf(location, model)
      if (plain === null) return ofCase
      const plainly = withValues(base, [...found, { location, value: plain }])
      if (isOf(testCase.obligation, plainly, model) || (await isAccepted(plainly))) return ofCase
    }
    const kinds = failed.filter(
      each => !passed(each.id) && isOf(each, base, model) && !isOf(each, repaired, model),
    )
    // What holds a value of a kind is rejected whatever the value is made of.
    const outer = kinds.find(({ id, subject }) => subject.kind === 'branch' && id !== testCase.obligation.id)
    if (tested.length > 0 && outer !== undefined)
      return { kind: 'rule', rule: { ...rule, isToldBy: outer.id } }
    if (values.length > 0 && tested.length === 0) {
      const [kind] = kinds
      if (kind !== undefined)
        return kind.id === testCase.obligation.id
          ? ofCase
          : { kind: 'rule', rule: { ...rule, isToldBy: kind.id } }
      const alike = failed.find(
        each => each.subject.kind === 'value' && values.some(({ location }) => isAbout(each, location)),
      )
      if (alike !== undefined) return { kind: 'rule', rule: { ...rule, isToldBy: alike.id } }
      if (isOne) {
        // Another request may be accepted with the value.
        const beside = withValues(reference, [{ ...first, value: valueIn(base, first.location) }])
        if (isTaken(await ask(beside, true)) || !(await isAccepted(reference)))
          return ofOthers(first.location, null)
      }
    }
    known = found
    return { kind: 'rule', rule }
  }
  return async (incident, options) => {
    let isCut = false
    const blame = await find(incident, options, () => {
      isCut = true
    })
    // A question that there was no time for may have had either answer.
    return isCut ? { kind: 'unknown' } : blame
  }
}

/** Whether a case has no right credentials. */
const isUnlocked = ({ cause, expectation }: TestCase): boolean =>
  cause === 'credentials' && expectation === 'reject'

/**
 * Whether nothing is found with the right credentials either: then it shows nothing that it is not found without them, nor does it if nobody
 * has asked.
 */
const isAbsentAnyway = async (
  { testCase, outcome }: Incident,
  { sender, model, budget }: ResendOptions,
): Promise<boolean> => {
  if (budget.isOver()) return true
  budget.left -= 1
  const spec = writtenPlainly(testCase.spec, model)
  const request = renderRequest(model.operation, spec)
  const sent = await sender.send({ ...testCase, spec, request, expectation: 'either', cause: null })
  return sent.missing === undefined && statusOf(sent.outcome) === statusOf(outcome)
}

/**
 * The rule that a text is rejected for if plain letters of its length are rejected alike, although another value is not: the case is not
 * about its length. Null if it is another reason.
 */
const lengthRule = async (
  incident: Incident,
  isRejectedAlike: (spec: RequestSpec) => Promise<boolean>,
): Promise<UndocumentedRule | null> => {
  const { testCase } = incident
  const { subject } = testCase.obligation
  const plain = asLongControl(testCase)
  return subject.kind === 'value' && plain !== null && (await isRejectedAlike(plain))
    ? textRule(subject.location, incident)
    : null
}

/** The difference with letters at the end of its text that no other request has. */
const freshIn =
  (label: string) =>
  (difference: Difference): Difference =>
    typeof difference.value === 'string'
      ? { ...difference, value: `${difference.value}${lettersOf(label)}` }
      : difference

const lettersOf = (label: string): string =>
  [...label].map(char => (char === ' ' ? 'x' : 'abcdefghij'[Number(char)])).join('')

const parameterIn = (name: string, { model }: ResendOptions): ValueLocation => {
  const found = model.parameters.find(({ parameter }) => parameter.name === name)?.parameter
  return { in: found?.in ?? 'query', name, place: '' }
}
