import type { RequestPart } from '../contract/rejection-statuses.ts'
import type { Obligation } from './obligation.ts'
import type { OpenQuestion } from './subject.ts'

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

/** The part of a request that the cases of an obligation send wrong; null if they do not. `path`: its id without the operation. */
export const rejectedPart = (family: Obligation['family'], path: string): RequestPart | null => {
  if (family === 'auth') return 'credentials'
  if (family !== 'reject') return null
  if (path.startsWith('request/content-type/')) return 'media'
  return path.startsWith('request/body/') ? 'body' : 'parameter'
}

/** The id of the open question that the cases of an obligation answer as well: how the server rejects such a request. */
export const answeredQuestion = ({
  id,
  operation,
  family,
}: Pick<Obligation, 'id' | 'operation' | 'family'>): string | null => {
  const part = rejectedPart(family, id.slice(operation.length + 1))
  return part === null ? null : `${operation}/unspecified/${rejectionQuestions[part]}`
}
