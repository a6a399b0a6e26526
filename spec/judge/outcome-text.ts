import { type Failure, header, mediaType, type Outcome } from '../http/exchange.ts'
import type { Expectation } from './expected-status.ts'

/** Whether the server answered nothing else while it was busy with the request. */
export const isBlocking = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && outcome.blockedMs !== undefined

/** What a server did with a request, given as a noun phrase: «accepted a body without `id`», «answered 500 to …». */
export const outcomeText = (outcome: Outcome, input: string, expectation: Expectation): string => {
  if (isBlocking(outcome)) return `did not respond to ${input} in time, nor to anything else meanwhile`
  if (outcome.kind === 'failure')
    return outcome.status === null
      ? noResponse[outcome.failure](input)
      : brokenResponse[outcome.failure](outcome.status, input)
  const { status, headers } = outcome.response
  const isSuccess = status >= 200 && status < 300
  // Many web apps answer so whatever they are asked for: that accepts nothing.
  if (isSuccess && expectation !== 'accept' && mediaType(header(headers, 'content-type')) === 'text/html')
    return `answered ${status} with an HTML page to ${input}`
  if (isSuccess && expectation !== 'accept') return `accepted ${input}`
  if ((status === 400 || status === 422) && expectation !== 'reject') return `rejected ${input}`
  return `answered ${status} to ${input}`
}

const noResponse: Readonly<Record<Failure, (input: string) => string>> = {
  refused: input => `refused the connection for ${input}`,
  unreachable: input => `could not be reached with ${input}`,
  reset: input => `closed the connection on ${input}`,
  timeout: input => `did not respond to ${input} in time`,
  malformed: input => `responded to ${input} with malformed HTTP`,
  'too-large': input => `responded to ${input} beyond the size limits`,
}

const closed = (status: number, input: string): string =>
  `closed the connection in the middle of its ${status} response to ${input}`

const brokenResponse: Readonly<Record<Failure, (status: number, input: string) => string>> = {
  refused: closed,
  unreachable: closed,
  reset: closed,
  timeout: (status, input) => `did not finish its ${status} response to ${input} in time`,
  malformed: (status, input) => `sent a malformed ${status} response to ${input}`,
  'too-large': (status, input) => `sent a ${status} response beyond the size limits to ${input}`,
}
