import { isObject, isOfBody, type Json, placeOf, plainValue, setAt, step, typeOf } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { isTaken } from '../judge/expected-status.ts'
import type { Incident } from '../judge/run-stats.ts'
import { controlOf } from './control.ts'
import type { ResendOptions, UndocumentedRule } from './resend-options.ts'

/** A member of a request: a parameter, or a property of its body. */
type Member = { readonly in: 'parameters' | 'body'; readonly name: string }

type Known = UndocumentedRule & { readonly member: Member; readonly value: Json | undefined }

/** Requests that looking for one rule may take. */
const mostTries = 12

/** The rejections that show a rule: what has no body or credentials is rejected for that. */
const isRejection = ({ testCase, outcome }: Incident): boolean =>
  testCase.expectation === 'accept' &&
  outcome.kind === 'response' &&
  outcome.response.status >= 400 &&
  outcome.response.status < 500

/**
 * Finds out whether a valid request is rejected for a rule that the document does not have, and not for what its case is about: then the
 * same request without that is rejected as well, and one with what an accepted request has is accepted. `accepted`: a request that the
 * server accepted; null if there is none.
 */
export const createUndocumentedRules = (
  accepted: TestCase | null,
): ((incident: Incident, options: ResendOptions) => Promise<UndocumentedRule | null>) => {
  const known: Known[] = []
  return async (incident, options) => {
    if (accepted === null || !isRejection(incident)) return null
    const { testCase } = incident
    const isAccepted = async (spec: RequestSpec | null): Promise<boolean> => {
      const variant =
        spec === null || options.budget.isOver() ? null : options.sender.validVariant(testCase, spec)
      if (variant === null) return false
      options.budget.left -= 1
      const { outcome, testCase: sent, missing } = await options.sender.send(variant)
      return (
        missing === undefined &&
        outcome.kind === 'response' &&
        isTaken(options.model.operation, outcome.response.status, sent.chain?.isThere === true)
      )
    }
    const base = controlOf(testCase, options.model) ?? parameterControl(testCase, options) ?? testCase.spec
    // What a case is about, or what went before it, is to blame if the request is accepted without that.
    if (await isAccepted(base)) return null
    for (const rule of known) if (await isAccepted(withMember(base, rule.member, rule.value))) return rule
    let tries = 0
    for (const { member, value, isMissing } of differences(base, accepted.spec)) {
      tries += 1
      if (tries > mostTries) break
      if (!(await isAccepted(withMember(base, member, value)))) continue
      // If a plain value is accepted, this one is rejected for what it is, or for what is beside it.
      const plain = plainOf(member, options)
      if (!isMissing && plain !== null && (await isAccepted(withMember(base, member, plain)))) continue
      const rule = { ...ruleFor(member, memberIn(base, member), isMissing, options), member, value }
      known.push(rule)
      return rule
    }
    return null
  }
}

const ruleFor = (
  member: Member,
  rejected: Json | undefined,
  isMissing: boolean,
  { model }: ResendOptions,
): UndocumentedRule => {
  const parameter = model.parameters.find(({ parameter: { name } }) => name === member.name)?.parameter
  const place =
    member.in === 'body' ? `\`${member.name}\`` : `the ${parameter?.in} parameter \`${member.name}\``
  if (isMissing)
    return {
      key: `requires ${place}`,
      title: `requires ${place}, which the document calls optional`,
      hint: 'Declare it as required, or accept requests without it.',
    }
  const what =
    rejected === undefined
      ? 'values'
      : ({ string: 'texts', number: 'numbers' }[typeOf(rejected) as 'string'] ?? 'values')
  return {
    key: `limits ${place}`,
    title: `takes only some ${what} as ${place}, without the document saying which`,
    hint: 'Say in the document which values are allowed (pattern, format, enum, or a limit), or accept them.',
  }
}

/** The request with a plain value of the parameter that its case is about. */
const parameterControl = (
  { spec, obligation: { subject } }: TestCase,
  { model }: ResendOptions,
): RequestSpec | null => {
  if (subject.kind !== 'value' || isOfBody(subject.location)) return null
  const { name } = subject.location
  const root = model.parameters.find(({ parameter }) => parameter.name === name)?.root
  if (root == null || !Object.hasOwn(spec.parameters, name)) return null
  return { ...spec, parameters: { ...spec.parameters, [name]: plainValue(root) } }
}

const plainOf = ({ in: part, name }: Member, { model }: ResendOptions): Json | null => {
  const root = model.body?.root
  const ofBody = root === undefined ? null : placeOf(root, step('', name))
  const place =
    part === 'body' ? ofBody : model.parameters.find(({ parameter }) => parameter.name === name)?.root
  return place == null ? null : plainValue(place)
}

const membersOf = (spec: RequestSpec): readonly Member[] => [
  ...Object.keys(spec.parameters).map(name => ({ in: 'parameters', name }) as const),
  ...(isObject(spec.body) ? Object.keys(spec.body).map(name => ({ in: 'body', name }) as const) : []),
]

const memberIn = (spec: RequestSpec, { in: part, name }: Member): Json | undefined => {
  const from = part === 'body' ? (isObject(spec.body) ? spec.body : {}) : spec.parameters
  return Object.hasOwn(from, name) ? (from[name] as Json) : undefined
}

/** The request with this value of a member; without the member if there is none. */
const withMember = (spec: RequestSpec, { in: part, name }: Member, value: Json | undefined): RequestSpec => {
  if (part === 'parameters') {
    const { [name]: _, ...others } = spec.parameters
    return { ...spec, parameters: value === undefined ? others : { ...others, [name]: value } }
  }
  if (!isObject(spec.body)) return spec
  if (value !== undefined) return { ...spec, body: setAt(spec.body, step('', name), value) }
  const { [name]: _, ...others } = spec.body
  return { ...spec, body: others }
}

/** In what an accepted request differs from a rejected one: first what it has beside it, then other values, then what it lacks. */
const differences = (rejected: RequestSpec, accepted: RequestSpec) => {
  const added = membersOf(accepted).filter(member => memberIn(rejected, member) === undefined)
  const changed = membersOf(rejected).filter(
    member => JSON.stringify(memberIn(rejected, member)) !== JSON.stringify(memberIn(accepted, member)),
  )
  return [
    ...added.map(member => ({ member, value: memberIn(accepted, member), isMissing: true })),
    ...changed.map(member => ({ member, value: memberIn(accepted, member), isMissing: false })),
  ]
}
