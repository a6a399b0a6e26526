import {
  curlScript,
  type Finding,
  failureTitle,
  findingsByObligation,
  type Obligation,
  type ObligationId,
  recordOutcome,
  recordRequest,
  type Secret,
} from '../../spec/index.ts'
import { caseId } from '../cases/case.ts'
import type { Confirmed } from '../confirm/confirm-incident.ts'
import type { Tellers } from '../confirm/failed-kinds.ts'
import { findingCause } from '../judge/mechanism.ts'
import { recordSteps, stepsBefore } from '../judge/record-outcome.ts'
import type { Incident } from '../judge/run-stats.ts'
import { withWords } from '../judge/server-words.ts'
import type { Cluster } from './cluster.ts'
import { hintFor } from './hint.ts'

export type FindingOptions = {
  /** Base URL of the server under test. */
  readonly target: URL
  readonly secrets: readonly Secret[]
  /** The reasons of server errors that came to well-formed requests as well (see `errorsIn`). Default: none is known. */
  readonly errors?: ReadonlySet<string>
}

/** Bytes of the response's body that a finding keeps; of the request it keeps all. */
const bodyLimit = 65_536

/** Records what was confirmed. `also`: other obligations that fail for the same cause; `cases`: how many cases showed it. */
export const toFinding = (
  primary: Obligation,
  also: readonly ObligationId[],
  { incident, repeat, rule }: Confirmed,
  cases: number,
  { target, secrets, errors }: FindingOptions,
): Finding => {
  const { testCase, outcome, violation } = incident
  return {
    type: 'finding',
    id: caseId(testCase.number),
    title: titleOf(primary, incident, secrets),
    obligation: primary.id,
    level: primary.level,
    also,
    expected: violation.expected,
    actual: violation.actual,
    ...(violation.kind === undefined ? {} : { kind: violation.kind }),
    repeat,
    cases,
    expectation: testCase.expectation,
    request: recordRequest(testCase.request, Number.POSITIVE_INFINITY),
    outcome: recordOutcome(outcome, secrets, bodyLimit),
    ...recordSteps(testCase, secrets, bodyLimit),
    ...(violation.step === undefined ? {} : { step: violation.step }),
    curl: curlScript(stepsBefore(testCase), testCase.request, target.href),
    hint: rule?.hint ?? hintFor(primary, testCase, outcome),
    ...(rule?.requires === undefined ? {} : { requires: rule.requires }),
    cause: findingCause(primary, incident, repeat, secrets, errors),
  }
}

/** A valid request says nothing of why it was rejected, but the server may. */
const titleOf = (
  primary: Obligation,
  { testCase, outcome, violation }: Incident,
  secrets: readonly Secret[],
): string => {
  const title = failureTitle(
    { obligation: primary, testCase: { ...testCase, values: testCase.spec }, outcome, violation },
    secrets,
  )
  return primary.subject.kind === 'valid' && violation.title === undefined
    ? withWords(title, outcome, secrets)
    : title
}

/** By the number of a failed case, the finding of its cluster, or else of what tells it better. */
export const findingsOfCases = (
  clusters: readonly Cluster[],
  findings: readonly Finding[],
  tellers: Tellers,
): ReadonlyMap<number, Finding> => {
  const byObligation = findingsByObligation(findings)
  return new Map([
    ...[...tellers].flatMap(([number, id]) =>
      (byObligation.get(id) ?? []).slice(0, 1).map(finding => [number, finding] as const),
    ),
    ...clusters.flatMap(({ incidents }, index) =>
      incidents.map(({ testCase }) => [testCase.number, findings[index] as Finding] as const),
    ),
  ])
}
