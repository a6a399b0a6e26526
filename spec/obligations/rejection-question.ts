import type { RequestPart } from '../contract/rejection-statuses.ts'
import type { Obligation } from './obligation.ts'
import { idOf, type ObligationId } from './obligation-id.ts'
import type { OpenQuestion } from './subject.ts'
import { isOfBody } from './value-location.ts'

type RejectionQuestion = Extract<
  OpenQuestion,
  'credentials' | 'undeclared-media' | 'invalid-body' | 'invalid-parameter'
>

/** What each open question about rejections is about. */
export const rejectionQuestions: Readonly<Record<RequestPart, RejectionQuestion>> = {
  credentials: 'credentials',
  media: 'undeclared-media',
  body: 'invalid-body',
  parameter: 'invalid-parameter',
}

/** The part of a request that the cases of an obligation send wrong; null if they do not. */
export const rejectedPart = ({
  family,
  subject,
}: Pick<Obligation, 'family' | 'subject'>): RequestPart | null => {
  if (family === 'auth') return 'credentials'
  if (family !== 'reject') return null
  if (subject.kind === 'media') return 'media'
  const isOfParameter =
    subject.kind === 'missing-parameter' || (subject.kind === 'keyword' && !isOfBody(subject.location))
  return isOfParameter ? 'parameter' : 'body'
}

/** The open question that the cases of an obligation answer as well: how the server rejects such a request. */
export const answeredQuestion = (obligation: Pick<Obligation, 'family' | 'subject'>): OpenQuestion | null => {
  const part = rejectedPart(obligation)
  return part === null ? null : rejectionQuestions[part]
}

/** The id of an open question of an operation. */
export const questionId = (operation: string, name: OpenQuestion): ObligationId =>
  idOf(operation, { kind: 'unspecified', name })
