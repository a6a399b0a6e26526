import {
  answeredQuestion,
  type GivenCredentials,
  isObject,
  isUnread,
  type Obligation,
  type ObligationId,
  type OpenQuestion,
  type Outcome,
  type RecordedStep,
  type ResponseViolation,
  recordOutcome as recordedOutcome,
  recordRequest,
  responseFor,
  type Secret,
  violationOf,
} from '../../spec/index.ts'
import type { ChainStep, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { credentialsGiven } from './expected-status.ts'
import { observation, summary } from './observation-text.ts'
import {
  addIncident,
  addObservation,
  type Incident,
  type RunStats,
  statsOf,
  withShortBody,
} from './run-stats.ts'

/** The obligations of an operation by which every response is judged, by what they are about. */
export type ResponseObligations = {
  /** By all responses. */
  readonly always: readonly string[]
  /** By responses with this declared status. */
  readonly byStatus: ReadonlyMap<string, OfStatus>
  /** By responses with 401 to requests with these credentials; null: with any. */
  readonly challenges: readonly { readonly id: string; readonly given: GivenCredentials | null }[]
  /** By the connections of all requests. */
  readonly connection: Obligation | null
  /** Limits for their times. */
  readonly times: readonly string[]
  /** The open questions that cases answer which are sent for other obligations. */
  readonly questions: ReadonlyMap<OpenQuestion, ObligationId>
}

type OfStatus = {
  readonly ids: string[]
  readonly echoes: { readonly id: string; readonly property: string }[]
}

export const responseObligationsOf = (obligations: readonly Obligation[]): ResponseObligations => {
  const always: string[] = []
  const byStatus = new Map<string, OfStatus>()
  const times: string[] = []
  const challenges: { id: string; given: GivenCredentials | null }[] = []
  for (const { id, subject } of obligations) {
    if (subject.kind === 'response-time') times.push(id)
    if (subject.kind !== 'response') continue
    if (subject.aspect === 'declared') always.push(id)
    else if (subject.aspect === 'challenge') challenges.push({ id, given: subject.given })
    else {
      const ofStatus = byStatus.get(subject.status) ?? { ids: [], echoes: [] }
      if (subject.aspect === 'echo') ofStatus.echoes.push({ id, property: subject.name })
      else ofStatus.ids.push(id)
      byStatus.set(subject.status, ofStatus)
    }
  }
  return {
    always,
    byStatus,
    challenges,
    times,
    questions: new Map(
      obligations.flatMap(({ id, subject }) =>
        subject.kind === 'unspecified' ? [[subject.name, id] as const] : [],
      ),
    ),
    connection: obligations.find(isConnection) ?? null,
  }
}

/** Adds to the stats what one case showed: a case for each obligation that it tested, incidents and observations. */
export const recordOutcome = (
  stats: RunStats,
  model: OperationModel,
  responses: ResponseObligations,
  testCase: TestCase,
  outcome: Outcome,
  violations: readonly ResponseViolation[],
): void => {
  const addCase = (id: string): void => {
    statsOf(stats, id).cases += 1
  }
  const { obligation, expectation, spec } = testCase
  addCase(obligation.id)
  if (obligation.level === 'OBSERVE' || obligation.pin?.obligation === obligation.id)
    addObservation(stats, obligation.id, observation(testCase, outcome))
  const question = expectation === 'reject' ? answeredQuestion(obligation) : null
  const answered = question === null ? undefined : responses.questions.get(question)
  if (answered !== undefined) addObservation(stats, answered, summary(outcome))
  // A pinned question that the cases of other obligations answer.
  if (obligation.pin !== undefined && obligation.pin.obligation !== obligation.id)
    addCase(obligation.pin.obligation)
  const kept = withShortBody(outcome)
  for (const violation of violations) addIncident(stats, { testCase, outcome: kept, violation })
  if (outcome.kind === 'failure' || !isOfOperation(model, testCase) || isUnread(outcome.response)) return
  const { status } = outcome.response
  // A status in a gap of the document neither meets the requirement nor violates it.
  const isDeclared = responseFor(model.operation, status) !== null
  for (const id of responses.always)
    if (isDeclared || violations.some(violation => violation.id === id)) addCase(id)
  if (status === 401)
    for (const { id, given } of responses.challenges)
      if (given === null || given === credentialsGiven(testCase)) addCase(id)
  const ofStatus = responses.byStatus.get(responseFor(model.operation, status)?.status ?? String(status))
  ofStatus?.ids.forEach(addCase)
  if (expectation === 'accept' && isObject(spec.body))
    for (const { id, property } of ofStatus?.echoes ?? []) if (Object.hasOwn(spec.body, property)) addCase(id)
}

/** Nothing is declared for the response to raw bytes, or to another method or path, or it is judged for what came of it alone. */
const isOfOperation = ({ operation }: OperationModel, { obligation, request, spec }: TestCase): boolean =>
  !['state', 'callback'].includes(obligation.subject.kind) &&
  request.raw === undefined &&
  spec.method === operation.method &&
  spec.path === operation.path

/** Whether an obligation is that connections last until the response is complete. */
export const isConnection = ({ subject }: Pick<Obligation, 'subject'>): boolean =>
  subject.kind === 'stability' && subject.name === 'connection'

/** Adds a request to the stats of the obligation of connections; `lost`: its connection was lost before it got a response on another. */
export const recordConnection = (
  stats: RunStats,
  connection: Obligation,
  lost: Pick<Incident, 'testCase' | 'outcome'> | null,
): void => {
  statsOf(stats, connection.id).cases += 1
  if (lost === null) return
  const violation = violationOf(connection, {
    expected: 'a response',
    actual: 'the connection was lost',
  })
  addIncident(stats, { ...lost, violation })
}

/** The steps before the request of a case as the ledger has them; nothing if there are none. */
export const recordSteps = (
  testCase: TestCase,
  secrets: readonly Secret[],
  bodyLimit: number,
): { readonly steps?: readonly RecordedStep[] } => {
  const steps = stepsBefore(testCase)
  return steps.length === 0 ? {} : { steps: steps.map(step => recordStep(step, secrets, bodyLimit)) }
}

export const recordStep = (
  { role, operation, request, outcome, name }: ChainStep,
  secrets: readonly Secret[],
  bodyLimit: number,
): RecordedStep => ({
  role,
  operation,
  request: recordRequest(request, bodyLimit),
  outcome: recordedOutcome(outcome, secrets, bodyLimit),
  ...(name === undefined ? {} : { name }),
})

/** The steps before the request of a case, which is the last of its chain if that is about what the server keeps. */
export const stepsBefore = ({ obligation, chain }: TestCase): readonly ChainStep[] => {
  const steps = chain?.steps ?? []
  return ['state', 'flow'].includes(obligation.subject.kind) ? steps.slice(0, -1) : steps
}
