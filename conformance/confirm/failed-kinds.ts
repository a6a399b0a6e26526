import {
  type HttpRequest,
  hasLarger,
  isOfBody,
  matches,
  type Obligation,
  type ObligationId,
  steps,
  type ValueLocation,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { signature } from '../judge/observation-text.ts'
import { commonSignature, hasPassed, type Incident, incidentsOf, type RunStats } from '../judge/run-stats.ts'

/** The kinds of valid requests (obligations) that a failed request belongs to, and that fail every time as it did. */
export type FailedKindsOf = (incident: Incident) => readonly Obligation[]

/** Whether an obligation is about valid requests of all kinds. */
export const isGeneral = ({ subject }: Obligation): boolean =>
  subject.kind === 'valid' || subject.kind === 'combined'

/** `isExcused`: whether a failure may have another cause than the kind of the request. */
export const failedKinds = (
  obligations: readonly Obligation[],
  stats: RunStats,
  model: OperationModel,
  isExcused: (incident: Incident) => boolean,
): FailedKindsOf => {
  // If no valid request is accepted, no kind of them is the cause.
  const isAnyAccepted = obligations.some(
    ({ subject, id }) => subject.kind === 'valid' && hasPassed(stats, id),
  )
  const signatures = new Map<Obligation, string | null>()
  for (const obligation of isAnyAccepted ? obligations : []) {
    const incidents = incidentsOf(stats, obligation.id)
    const isFailed = incidents.length > 0 && !hasPassed(stats, obligation.id)
    if (isFailed && !isGeneral(obligation) && !incidents.every(isExcused))
      signatures.set(obligation, commonSignature(incidents))
  }
  return ({ testCase: { spec, request, expectation }, outcome }) => {
    if (expectation !== 'accept') return []
    const sent = { body: spec.body, parameters: spec.parameters, request }
    const answer = signature(outcome)
    const isOf = ({ subject }: Obligation): boolean =>
      matches(model, subject, sent, []) || (subject.kind === 'value' && hasLarger(subject, sent))
    return [...signatures]
      .filter(([obligation, failed]) => failed === answer && isOf(obligation))
      .map(([obligation]) => obligation)
  }
}

/** By the number of a failed case, the requirement whose finding tells what the request was rejected for. */
export type Tellers = Map<number, ObligationId>

/** Of the failed cases about any valid request, those that are also of a kind that fails every time. */
export const tellersOfAny = (
  obligations: readonly Obligation[],
  stats: RunStats,
  failedKindsOf: FailedKindsOf,
): Tellers =>
  new Map(
    obligations
      .filter(isGeneral)
      .flatMap(({ id }) => incidentsOf(stats, id))
      .flatMap(incident => {
        const [kind] = failedKindsOf(incident)
        return kind === undefined ? [] : [[incident.testCase.number, kind.id] as const]
      }),
  )

/** Whether a request is of the kind that an obligation to accept is about, by its values. */
export const isOf = ({ subject }: Obligation, spec: RequestSpec, model: OperationModel): boolean =>
  (subject.kind === 'value' || subject.kind === 'branch') &&
  matches(model, subject, { body: spec.body, parameters: spec.parameters, request: noRequest }, [])

/** Whether a request is still of the kind that its case is about, if only its values have changed. */
export const isStillOf = (obligation: Obligation, spec: RequestSpec, model: OperationModel): boolean => {
  const { subject, family } = obligation
  if (family !== 'accept' || isGeneral(obligation)) return false
  const isOfValues = ['value', 'branch', 'presence'].includes(subject.kind)
  return !isOfValues || matches(model, subject, { ...spec, request: noRequest }, [])
}

/** What a request has besides its values plays no part. */
const noRequest: HttpRequest = { method: '', target: '', headers: [], body: null, chunked: false }

/** Whether what an obligation is about stands at a place, or inside what does. */
export const isAbout = ({ subject }: Obligation, place: ValueLocation): boolean => {
  if (!('location' in subject)) return false
  const { location } = subject
  if (!isOfBody(location)) return location.in === place.in && location.name === place.name
  return isOfBody(place) && steps(place.place).every((key, index) => steps(location.place)[index] === key)
}
