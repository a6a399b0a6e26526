import type { Obligation } from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'

/** Whether the fields of an invalid request say only who sends it: where a field is what is tested, it has no other. */
export const comesFromClients = (
  { family, subject }: Obligation,
  { credentials, malformedHttp }: Pick<RequestSpec, 'credentials' | 'malformedHttp'>,
): boolean =>
  malformedHttp === null &&
  (family === 'reject' ||
    // A long token leaves no room for other fields.
    (subject.kind === 'credentials' &&
      !subject.isAccepted &&
      subject.name !== 'token-length' &&
      credentials?.kind.extra.length === 0))
