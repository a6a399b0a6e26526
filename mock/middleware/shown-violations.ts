import { errorCodes, type ResponseViolation } from '../../spec/index.ts'
import type { Entry, ShownViolation } from './journal-entry.ts'

/** What an exchange breaks of the contract, the request first; the response only if it is a server's behind a proxy. */
export const shownViolations = ({
  violations,
  forwarded,
}: Pick<Entry, 'violations' | 'forwarded'>): readonly ShownViolation[] =>
  forwarded === null || forwarded.violations.length === 0
    ? violations
    : [...violations, ...forwarded.violations.map(shownViolation)]

/** A broken requirement of a response, in the form in which those of requests are shown. */
export const shownViolation = ({
  id,
  operation,
  subject,
  title,
  expected,
  actual,
}: ResponseViolation): ShownViolation => ({
  id,
  operation,
  subject,
  part: 'body',
  code: errorCodes.otherRule,
  message: `${title ?? actual}; expected: ${expected}`,
  at: null,
})
