import type { Operation } from './operation.ts'

/** The part of a request that is invalid; decides which of the declared failures answers it. */
export type RequestPart = 'credentials' | 'media' | 'body' | 'parameter'

/** What each invalid part is called. */
export const invalidParts: Readonly<Record<RequestPart, string>> = {
  credentials: 'missing or wrong credentials',
  media: 'a body of an undeclared media type',
  body: 'an invalid body',
  parameter: 'an invalid parameter',
}

const order: Readonly<Record<RequestPart, readonly string[]>> = {
  credentials: ['401', '403', '400', '4XX', 'default'],
  media: ['415', '400', '422', '4XX', 'default'],
  body: ['400', '422', '4XX', 'default'],
  // A wrong path parameter names nothing, so servers answer 404 to it.
  parameter: ['400', '422', '4XX', 'default', '404'],
}

/** Statuses with a meaning of their own: they answer what they are about, if the order above has them, and nothing else. */
const others = /^(40[1-9]|41|42|43|45|5)/

/** The declared failures that fit an invalid part, the best one first; empty if the operation declares none. */
export const rejectionStatuses = ({ responses }: Operation, part: RequestPart): readonly string[] => {
  const declared = responses.map(({ status }) => status)
  const fitting = order[part].filter(status => declared.includes(status))
  return fitting.length > 0 ? fitting : declared.filter(status => /^4/.test(status) && !others.test(status))
}

/** Whether a declared failure fits. A 404 is no more than that: a server may as well tell what is wrong with a parameter. */
export const declaresRejection = (operation: Operation, part: RequestPart): boolean =>
  rejectionStatuses(operation, part).some(status => status !== '404')

/** The declared statuses that may answer a valid request; empty if the operation declares none. */
export const successStatuses = ({ responses }: Operation): readonly string[] =>
  responses.map(({ status }) => status).filter(status => /^[23]/.test(status) || status === 'default')
