import { isOfBody, type ValueLocation } from '../../spec/index.ts'
import { statusTitle } from './status-title.ts'

type Reason = {
  readonly code: number
  readonly messages: readonly string[]
  readonly at?: readonly (ValueLocation | null)[]
}

/** The body of a failure where the contract has no shape for one: a problem detail (RFC 9457). */
export const problemDetail = ({ code, messages, at = [] }: Reason, status: number): object => ({
  type: 'about:blank',
  title: statusTitle(status),
  status,
  detail: messages.join('; '),
  code,
  ...(at.some(place => place !== null)
    ? { errors: messages.map((detail, index) => ({ detail, ...locationOf(at[index] ?? null) })) }
    : {}),
})

const locationOf = (at: ValueLocation | null): object =>
  at === null ? {} : isOfBody(at) ? { in: 'body', pointer: at.place } : { in: at.in, name: at.name }
