import type { Obligation } from '../obligations/obligation.ts'
import { idOf, type ObligationId } from '../obligations/obligation-id.ts'
import type { RequestAspect, ResponseAspect, Subject } from '../obligations/subject.ts'

/** One obligation that a response breaks. */
export type ResponseViolation = {
  readonly id: ObligationId
  readonly operation: string
  readonly subject: Subject
  readonly expected: string
  readonly actual: string
  /**
   * What is wrong with the response itself, in one line: «answered 200 with 5 as `name`, which must be a string». Absent
   * if nothing is but that the request called for another response, see `failureTitle`.
   */
  readonly title?: string
  /** What tells it from other violations of the same obligation by the same status, if anything: `absent`, `null`, `text/html`. */
  readonly kind?: string
  /** What is missing was waited for, and may have come later: it shows something only if it stays away again. */
  readonly waited?: true
  /** Of a chain: the index of the request that shows it; absent if the last one does. */
  readonly step?: number
}

/** What a response with a declared status breaks, without that status. */
export type DeclaredAspect = WithoutStatus<
  Exclude<ResponseAspect, { readonly aspect: 'declared' | 'challenge' }>
>

type WithoutStatus<T> = T extends unknown ? Omit<T, 'status'> : never

type Shown = Omit<ResponseViolation, 'id' | 'operation' | 'subject'>

/** A violation of the obligation of an operation with this subject. */
export const violationOf = (
  { operation, subject }: Pick<Obligation, 'operation' | 'subject'>,
  shown: Shown,
): ResponseViolation => ({ id: idOf(operation, subject), operation, subject, ...shown })

/** A violation of what the contract says of the response itself. */
export const responseViolation = (
  operation: string,
  aspect: ResponseAspect,
  shown: Shown,
): ResponseViolation => violationOf({ operation, subject: { kind: 'response', ...aspect } }, shown)

/** The header that a violation is about, in lower case; null if it is about something else. */
export const headerIn = (subject: Subject | RequestAspect): string | null =>
  subject.kind === 'response' && subject.aspect === 'header' ? subject.header.toLowerCase() : null

/** Whether the status of a response is not declared. */
export const isUndeclaredStatus = ({ subject }: Pick<ResponseViolation, 'subject'>): boolean =>
  subject.kind === 'response' && subject.aspect === 'declared'
