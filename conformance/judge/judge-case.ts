import {
  answeredQuestion,
  describeResponse,
  failureText,
  type HttpResponse,
  isHeld,
  isUndeclaredStatus,
  type Json,
  judgeChallenge,
  mayChallenge,
  type Obligation,
  type Outcome,
  ownershipAnswers,
  type Pin,
  type ResponseViolation,
  responseFor,
  responseViolation,
  type StatusPolicy,
  violationOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { decodeBody } from '../cases/encode.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import {
  credentialsGiven,
  expectedText,
  isAllowedByPolicy,
  isExpected,
  isInGap,
  isKeptOut,
} from './expected-status.ts'
import { judgeMalformedHttp } from './judge-malformed-http.ts'
import { judgeMediaType } from './judge-media-type.ts'
import { failedKind, hasTried } from './judge-ownership.ts'
import { judgePairing } from './judge-pairing.ts'
import { judgeState } from './judge-state.ts'
import { observation } from './observation-text.ts'

/** What an outcome violates: the obligation that its case tests, and others. */
export type Judgement = {
  readonly violation: ResponseViolation | null
  readonly others: readonly ResponseViolation[]
}

const nothing: Judgement = { violation: null, others: [] }

export const violationsIn = ({ violation, others }: Judgement): readonly ResponseViolation[] =>
  violation === null ? others : [violation, ...others]

/** Judges the outcome of a case by the contract, and by the pin of the question that it answers. */
export const judgeCase = (
  model: OperationModel,
  testCase: TestCase,
  outcome: Outcome,
  policy: StatusPolicy,
): Judgement => {
  const judgement = judgeByContract(model, testCase, outcome, policy)
  const { pin, operation, id, subject, family } = testCase.obligation
  if (pin === undefined) return judgement
  if (family === 'ownership')
    return hasTried(testCase) ? judgedByPin(judgement, testCase.obligation, pin) : judgement
  const actual = observation(testCase, outcome)
  if (isHeld(pin, actual)) return judgement
  const question = answeredQuestion(testCase.obligation)
  const violation = violationOf(
    { operation, subject: question === null ? subject : { kind: 'unspecified', name: question } },
    { expected: `as pinned: ${pin.answers.join(' or ')}`, actual },
  )
  return judgement.violation === null && pin.obligation === id
    ? { ...judgement, violation }
    : { ...judgement, others: [...judgement.others, violation] }
}

/** Whether a resource is shared as its pin says. */
const judgedByPin = (judgement: Judgement, obligation: Obligation, pin: Pin): Judgement => {
  const { violation } = judgement
  if (violation?.kind === failedKind) return judgement
  const actual = violation === null ? ownershipAnswers.kept : ownershipAnswers.given
  if (isHeld(pin, actual)) return { ...judgement, violation: null }
  const expected = `as pinned: ${pin.answers.join(' or ')}`
  return { ...judgement, violation: violation ?? violationOf(obligation, { expected, actual }) }
}

const judgeByContract = (
  model: OperationModel,
  testCase: TestCase,
  outcome: Outcome,
  policy: StatusPolicy,
): Judgement => {
  if (testCase.obligation.subject.kind === 'state')
    return { ...nothing, violation: judgeState(model, testCase) }
  if (testCase.obligation.subject.kind === 'flow') return judgeStep(model, testCase, outcome)
  if (testCase.obligation.subject.kind === 'callback')
    return { ...nothing, violation: callbackViolation(testCase) }
  // A valid request that got no response is told as that, however it was framed.
  const isUnanswered = outcome.kind === 'failure' && testCase.obligation.subject.kind !== 'protocol'
  if (testCase.request.raw !== undefined && !isUnanswered)
    return { ...nothing, violation: judgeMalformedHttp(model, testCase, outcome) }
  if (outcome.kind === 'failure') return judgeFailure(model, testCase, outcome, policy)
  const { response } = outcome
  if (!isOfOperation(model, testCase) || isAllowedAnswer(testCase, response.status)) return nothing
  const violations = judgeResponse(model, testCase, response, policy)
  if (isExpected(model, testCase, response.status, policy) || isKeptOut(model, testCase, response, policy))
    return { violation: judgeMediaType(model, testCase, response), others: violations }
  return {
    violation: violationBy(model, testCase, describeResponse(response), policy),
    // A response that should not have come says nothing more.
    others: violations.filter(isUndeclaredStatus),
  }
}

const stepTitle = ({ flow, step }: NonNullable<TestCase['flow']>, outcome: Outcome): string => {
  const where = `step ${step} of ${flow}`
  if (outcome.kind === 'failure') return `did not answer ${where}`
  const { status } = outcome.response
  return `answered ${status} to ${where}${status < 400 ? ', against its criteria' : ''}`
}

/** Whether a step of a workflow succeeded, by its own criteria; what came back is judged by the document besides. */
const judgeStep = (model: OperationModel, { obligation, flow }: TestCase, outcome: Outcome): Judgement => ({
  violation:
    flow?.problem == null
      ? null
      : violationOf(obligation, {
          ...flow.problem,
          title: stepTitle(flow, outcome),
        }),
  others: outcome.kind === 'response' ? model.judgeResponse(outcome.response, undefined) : [],
})

/** What is wrong with what came of its callback. */
const callbackViolation = ({ obligation, callback }: TestCase): ResponseViolation | null =>
  callback?.problem == null ? null : violationOf(obligation, callback.problem)

/** A violation of what the case tests. */
const violationBy = (
  model: OperationModel,
  testCase: TestCase,
  actual: string,
  policy: StatusPolicy,
): ResponseViolation => {
  const { operation, subject } = testCase.obligation
  // Under load any valid request may fail, and which of them does says nothing.
  const isLoad = subject.kind === 'stability' && subject.name !== 'recovery'
  return violationOf(
    { operation, subject: isLoad ? { kind: 'stability', name: 'consistency' } : subject },
    { expected: expectedText(model, testCase, policy), actual },
  )
}

/** What a response violates in itself, whether or not it is the one that the case expects. */
const judgeResponse = (
  model: OperationModel,
  testCase: TestCase,
  response: HttpResponse,
  policy: StatusPolicy,
): readonly ResponseViolation[] => {
  const { operation } = model
  const sent = saysWhatIsStored(testCase) ? sentBody(model, testCase) : undefined
  const violations = [
    // The document declares nothing for a status that only the policy allows, but HTTP's rules hold for a 401 as for any.
    ...(isAllowedByPolicy(model, testCase, response.status, policy) ||
    isInGap(operation, testCase, response.status, policy)
      ? []
      : model.judgeResponse(response, sent)),
    ...(response.status === 401 && mayChallenge(operation, policy.unauthenticated)
      ? judgeChallenge(operation, response, credentialsGiven(testCase))
      : []),
  ]
  const isEcho = ({ subject }: ResponseViolation): boolean =>
    subject.kind === 'response' && subject.aspect === 'echo'
  // What exists has more than the request sent.
  const isOfInstance = ({ kind }: ResponseViolation): boolean =>
    kind === 'not sent' && testCase.chain !== undefined
  const pairing = judgePairing(model, testCase, response.body)
  return [
    ...violations.filter(violation => !isEcho(violation)),
    ...pairing,
    // The response to another request echoes that one.
    ...(pairing.length > 0
      ? []
      : violations.filter(violation => isEcho(violation) && !isOfInstance(violation))),
  ]
}

/** What is invalid stands for nothing. */
const saysWhatIsStored = ({ expectation }: TestCase): boolean => expectation !== 'reject'

/** The value that the body of a case stands for. Only JSON can say everything: a form has no list without items. */
const sentBody = ({ operation, body }: OperationModel, { spec, request }: TestCase): Json | undefined => {
  if (spec.encoding.kind === 'text' || spec.body === undefined) return undefined
  return body?.in === 'form' || spec.contentType !== body?.media.type
    ? decodeBody(operation, request)
    : spec.body
}

/** Nothing is declared for the response to another method or path. */
const isOfOperation = ({ operation }: OperationModel, { spec }: TestCase): boolean =>
  spec.method === operation.method && spec.path === operation.path

/**
 * HTTP has statuses for what the contract leaves open, so they need no declaration: a body beyond a limit or in an unknown coding, no
 * acceptable media type, a method that the server does not know there, a target with a query that nobody declared.
 */
const isAllowedAnswer = ({ obligation: { subject }, spec: { extra } }: TestCase, status: number): boolean =>
  ('name' in subject && allowedStatuses[`${subject.kind} ${subject.name}`]?.includes(status) === true) ||
  (status === 404 && extra.some(field => field.in === 'query'))

const allowedStatuses: Readonly<Record<string, readonly number[]>> = {
  'value odd': [400, 404, 410, 414, 422],
  'unspecified large-body': [413],
  'unspecified content-coding': [415],
  'unspecified other-accept': [406],
  'credentials method-override': [404, 405],
}

const wholeResponse = {
  refused: 'a response',
  unreachable: 'a response',
  reset: 'a body as long as announced',
  timeout: 'the end of the body in time',
  malformed: 'a body as long as announced, in HTTP',
  'too-large': 'a response within the limits',
}

const judgeFailure = (
  model: OperationModel,
  testCase: TestCase,
  { failure, status, detail }: Extract<Outcome, { kind: 'failure' }>,
  policy: StatusPolicy,
): Judgement => {
  const { operation } = model
  const actual = `${failureText[failure]}${status === null ? '' : ` (after the status ${status})`}: ${detail}`
  const found = status === null ? undefined : responseFor(operation, status)?.status
  const declared = isAllowedByPolicy(model, testCase, status, policy) ? '401' : found
  // The head of the response was right and its body broke off: then only the length is wrong.
  if (declared !== undefined && isExpected(model, testCase, status ?? 0, policy)) {
    // A list holds whatever was created, by the run as well: it may be more than a run reads.
    if (failure === 'too-large' && operation.method === 'GET') return nothing
    const length = { aspect: 'length', status: declared } as const
    const expected = wholeResponse[failure]
    return { ...nothing, others: [responseViolation(operation.id, length, { expected, actual })] }
  }
  if (testCase.expectation !== 'either')
    return { ...nothing, violation: violationBy(model, testCase, actual, policy) }
  const undeclared = { expected: 'a declared response', actual }
  return isOfOperation(model, testCase)
    ? { ...nothing, others: [responseViolation(operation.id, { aspect: 'declared' }, undeclared)] }
    : nothing
}
