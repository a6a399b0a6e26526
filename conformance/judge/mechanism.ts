/** What is likely to be wrong behind a finding, apart from where it shows: what one person would mend in one place. */

import {
  type Finding,
  type FindingCause,
  isUndeclaredStatus,
  type Obligation,
  redact,
  type Secret,
  steps,
} from '../../spec/index.ts'
import { isAbsenceInWords } from '../pool/rejection-words.ts'
import { signature } from './observation-text.ts'
import { explainsErrors, placeOfRequest, type RequestKind, requestKind, sharedPlace } from './request-kind.ts'
import {
  did,
  differentErrors,
  type Explanation,
  placeOfResponse,
  stabilityTitles,
  stateTitles,
  unexplainedError,
  wrongResponse,
} from './response-kind.ts'
import type { Incident } from './run-stats.ts'
import { reasonOf, tellsApart, withWords } from './server-words.ts'

type Shown = {
  /** What the finding is named after. */
  readonly obligation: Obligation
  readonly incident: Incident
  readonly repeat: Finding['repeat']
  readonly kind: RequestKind
  /** Null if there was no response. */
  readonly status: number | null
  readonly secrets: readonly Secret[]
  /** The words of the server that tell one reason from another; empty if it gives none. */
  readonly reason: string
  readonly errors: ReadonlySet<string>
}

/** The cause that a finding goes back to, by the first mechanism that explains it. */
export const findingCause = (
  obligation: Obligation,
  incident: Incident,
  repeat: Finding['repeat'],
  secrets: readonly Secret[],
  errors: ReadonlySet<string> = new Set(),
): FindingCause => {
  const { testCase, outcome } = incident
  const { subject } = obligation
  // What is wrong with a response says nothing of the request that got it.
  const tested = ['response', 'stability', 'response-time', 'valid'].includes(subject.kind)
    ? testCase.obligation
    : obligation
  const shown: Shown = {
    obligation,
    incident,
    repeat,
    kind: requestKind(tested, testCase.expectation),
    errors,
    status: outcome.kind === 'response' ? outcome.response.status : null,
    secrets,
    reason: reasonOf(incident, 'location' in subject ? steps(subject.location.place) : []),
  }
  for (const [name, explain] of mechanisms) {
    const explanation = explain(shown)
    if (explanation !== null)
      return {
        key: redact(keyOf(name, explanation.shared), secrets),
        title: redact(explanation.title, secrets),
        place: placeOfResponse(subject) ?? placeOfRequest(tested),
        ...(explanation.wider === undefined ? {} : { wider: explanation.wider }),
      }
  }
  return { key: obligation.id, title: obligation.requirement, place: '' }
}

/** The key of the cause that requests of a kind are not checked. */
export const notChecked = ({ key }: RequestKind): string => keyOf('not checked', [key])

const keyOf = (mechanism: string, shared: readonly string[]): string => [mechanism, ...shared].join(' · ')

/** The gravest first, whatever obligation showed it. */
const mechanisms: readonly (readonly [name: string, explain: (shown: Shown) => Explanation | null])[] = [
  [
    'over time',
    ({ obligation: { subject }, incident: { violation } }) =>
      subject.kind === 'response-time'
        ? { shared: ['slow'], title: 'took longer than the limit' }
        : subject.kind === 'stability' && subject.name !== 'consistency'
          ? { shared: [subject.name], title: violation.title ?? stabilityTitles[subject.name] }
          : null,
  ],
  [
    'sometimes',
    ({ repeat, incident, reason, status }) =>
      repeat === 'flaky' && !(incident.testCase.expectation === 'reject' && isSuccess(status))
        ? {
            shared: [signature(incident.outcome), reason],
            title: isSuccess(status)
              ? `sometimes answered ${status} with something wrong`
              : `sometimes ${did(incident, 'requests that passed when they were sent again')}`,
            wider: 'sometimes failed, and not when it was asked again',
          }
        : null,
  ],
  [
    'malformed HTTP',
    ({ obligation: { subject }, incident, kind }) =>
      subject.kind === 'protocol' ? { shared: [subject.name], title: did(incident, kind.text) } : null,
  ],
  [
    'wrong response',
    ({ obligation: { subject }, incident }) =>
      subject.kind === 'response' && subject.aspect !== 'declared' ? wrongResponse(subject, incident) : null,
  ],
  [
    'no response',
    ({ status, incident, kind, obligation }) =>
      status === null
        ? {
            shared: [signature(incident.outcome), kind.key, ...operationOf(obligation, kind)],
            title: did(incident, kind.text),
            wider: did(incident, 'different kinds of requests'),
          }
        : null,
  ],
  [
    'server error',
    ({ status, incident, kind, reason, obligation, secrets, errors }) => {
      if (status === null || status < 500) return null
      const code = String(status)
      // Each message of a parser or a database is another one, but nothing catches any of them.
      if (explainsErrors(kind) && !(tellsApart(reason) && errors.has(reason)))
        return {
          shared: [code, kind.key],
          title: `answered ${code} to ${kind.text}`,
          ...(kind.key === 'NUL' ? {} : { wider: unexplainedError(status) }),
        }
      // Each says so in the words of what it looks for.
      if (incident.testCase.chain?.exists === false && isAbsenceInWords(incident.outcome))
        return {
          shared: [code, 'nothing has the name'],
          title: `answered ${status} for what does not exist`,
          wider: differentErrors(status),
        }
      // An error that has a name of its own is one, whatever makes it come.
      if (tellsApart(reason))
        return {
          shared: [code, reason],
          title: withWords(`answered ${status}`, incident.outcome, secrets),
          wider: differentErrors(status),
        }
      return {
        shared: [code, kind.key, reason, ...(reason === '' ? operationOf(obligation, kind) : [])],
        title: withWords(`answered ${status} to ${kind.text}`, incident.outcome, secrets),
        wider: reason === '' ? unexplainedError(status) : differentErrors(status),
      }
    },
  ],
  [
    'credentials',
    ({ obligation: { family, subject }, incident, kind, status }) =>
      family === 'auth' && subject.kind === 'credentials' && isWronglyJudged(incident, status)
        ? { shared: [subject.name], title: did(incident, kind.text) }
        : null,
  ],
  [
    'rule of its own',
    ({ incident: { violation }, status, obligation: { subject } }) =>
      // Such a title says which values the server takes, or what it requires.
      subject.kind === 'valid' && violation.title !== undefined && status !== null && !isSuccess(status)
        ? /^requires/.test(violation.title)
          ? { shared: ['requires'], title: 'requires what the document calls optional' }
          : { shared: ['limits'], title: 'takes only some values, without the document saying which' }
        : null,
  ],
  [
    'not found',
    ({ incident, status }) =>
      incident.testCase.expectation === 'accept' && status === 404 && !isUndeclaredStatus(incident.violation)
        ? { shared: [], title: 'answered 404 to valid requests' }
        : null,
  ],
  [
    'rejected',
    ({ incident, status, reason, secrets }) =>
      incident.testCase.expectation === 'accept' &&
      isWronglyJudged(incident, status) &&
      status !== 404 &&
      reason.includes(' ')
        ? {
            shared: [String(status), reason],
            title: withWords(did(incident, 'valid requests'), incident.outcome, secrets),
            wider: ruledOut,
          }
        : null,
  ],
  [
    'undeclared status',
    ({ incident: { violation }, status }) =>
      isUndeclaredStatus(violation)
        ? {
            shared: [String(status)],
            title: `answered ${status}, which the document does not declare`,
            wider: 'answered with statuses that the document does not declare',
          }
        : null,
  ],
  [
    'state',
    ({ obligation: { subject } }) =>
      subject.kind === 'state' ? { shared: [subject.name], title: stateTitles[subject.name] } : null,
  ],
  [
    'not checked',
    ({ incident, kind, status }) =>
      incident.testCase.expectation === 'reject' && isSuccess(status)
        ? {
            shared: [kind.key],
            title: did(incident, kind.text),
            wider: 'accepted different kinds of invalid requests',
          }
        : null,
  ],
  [
    'wrong status',
    ({ incident, status, kind, obligation }) =>
      incident.testCase.expectation === 'reject'
        ? { shared: [String(status)], title: did(incident, 'invalid requests') }
        : {
            shared: [String(status), kind.key, sharedPlace(obligation), ...operationOf(obligation, kind)],
            title: did(incident, kind.text),
            ...(kind.key === 'valid' ? { wider: ruledOut } : {}),
          },
  ],
]

const ruledOut = 'rejected valid requests for reasons that the document does not give'

/** What is said of valid requests is another cause at each operation, if nothing else tells. */
const operationOf = ({ operation }: Obligation, { key }: RequestKind): readonly string[] =>
  key === 'valid' ? [operation] : []

const isSuccess = (status: number | null): boolean => status !== null && status < 400

const isWronglyJudged = ({ testCase: { expectation } }: Incident, status: number | null): boolean =>
  isSuccess(status) === (expectation === 'reject')
