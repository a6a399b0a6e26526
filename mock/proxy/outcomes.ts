import {
  describeResponse,
  isBelow,
  isCarriedOut,
  isRejection,
  type Obligation,
  pathOf,
  type ResponseViolation,
  rejectionText,
  violationOf,
} from '../../spec/index.ts'
import { exercisedBy, type JudgeOptions } from '../console/coverage.ts'
import type { ServedOperation } from '../console/served-operations.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import type { Heard } from './callback-listener.ts'

/** What an exchange shows of an obligation: `violation` null: that it is kept; `unclear`: nothing, because of this. */
export type Shown =
  | { readonly obligation: Obligation; readonly violation: ResponseViolation | null }
  | { readonly obligation: Obligation; readonly unclear: string }

/** The obligations that an exchange with the server exercises, and what it shows of them. */
export const shownBy = (entry: Entry, served: ServedOperation, options: JudgeOptions): readonly Shown[] => {
  const { forwarded, violations } = entry
  const response = forwarded?.response ?? null
  if (response === null || forwarded === null || forwarded.unjudged !== null) return []
  const { operation } = served
  const { status } = response
  const exercised = exercisedBy({ ...entry, status }, served.obligations(), served, options)
  const isAlone = violations.length === 1
  const accepted = (obligation: Obligation): readonly Shown[] => [
    isCarriedOut(operation, status)
      ? { obligation, violation: null }
      : { obligation, unclear: `valid requests were answered ${status}, which may have other reasons` },
  ]
  return [
    ...failedBy(entry, served),
    ...exercised.flatMap((obligation): readonly Shown[] => {
      switch (obligation.family) {
        case 'response':
          // What is wrong in one place may hide what is wrong in another.
          return forwarded.violations.length === 0 ? [{ obligation, violation: null }] : []
        case 'accept':
          return accepted(obligation)
        case 'reject':
        case 'auth': {
          // Some spellings of right credentials have to be accepted.
          if (violations.length === 0) return accepted(obligation)
          const part = obligation.family === 'auth' ? 'credentials' : (violations[0]?.part ?? 'body')
          if (status < 400)
            return [
              {
                obligation,
                violation: violationOf(obligation, {
                  expected: rejectionText(operation, [part], options.unauthenticated),
                  actual: describeResponse(response),
                  title: `accepted an invalid request: ${violations.map(({ message }) => message).join('; ')}`,
                }),
              },
            ]
          return isAlone && isRejection(operation, part, status, options.unauthenticated)
            ? [{ obligation, violation: null }]
            : [{ obligation, unclear: `it was answered ${status}, which may have other reasons` }]
        }
        default:
          return []
      }
    }),
  ]
}

/** The obligations of a callback or webhook that came, and what that shows of them. */
export const shownByCallback = (
  { owner, callback, violations }: Heard,
  obligations: readonly Obligation[],
): readonly Shown[] =>
  obligations.flatMap(obligation => {
    const { operation, subject, id } = obligation
    const isOfIt = subject.kind === 'callback' && subject.callback === callback.name && operation === owner
    return isOfIt && (subject.name === 'request' || subject.name === 'credentials')
      ? [{ obligation, violation: violations.find(violation => violation.id === id) ?? null }]
      : []
  })

/** The obligations of the response that an exchange shows broken. */
export const failedBy = ({ forwarded }: Entry, served: ServedOperation): readonly Shown[] =>
  (forwarded?.violations ?? []).flatMap(violation => {
    const obligation = obligationOf(violation, served)
    return obligation === undefined ? [] : [{ obligation, violation }]
  })

/** A violation may be of a part of what an obligation is about, or of one of several that go together. */
const obligationOf = (
  { id, subject }: ResponseViolation,
  served: ServedOperation,
): Obligation | undefined => {
  const obligations = served.obligations()
  const path = pathOf(subject)
  return (
    obligations.find(obligation => obligation.id === id) ??
    obligations.find(obligation => isBelow(pathOf(obligation.subject), path)) ??
    obligations
      .filter(obligation => isBelow(path, pathOf(obligation.subject)))
      .sort((left, right) => pathOf(right.subject).length - pathOf(left.subject).length)[0]
  )
}

/** Whose fault an exchange shows. */
export type Faults = { readonly request: boolean; readonly response: boolean }

/** `response`: the server's response breaks a MUST, is missing, or accepts what has to be rejected. */
export const faultsOf = (entry: Entry, served: ServedOperation | undefined): Faults => {
  const { violations, forwarded } = entry
  const request = violations.length > 0
  const status = forwarded?.response?.status ?? null
  const isFailed =
    served !== undefined &&
    (forwarded?.violations.length ?? 0) > 0 &&
    failedBy(entry, served).some(({ obligation }) => obligation.level === 'MUST')
  const isAccepted = request && status !== null && status < 400
  return { request, response: isFailed || isAccepted || (forwarded?.failure ?? null) !== null }
}
