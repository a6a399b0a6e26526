import { header, type Operation, type Outcome } from '../../spec/index.ts'
import { summary } from '../judge/observation-text.ts'
import type { RunOptions } from '../options/run-options.ts'
import { isUndeclaredPage } from './api-answer.ts'

/** Header fields of errors that a proxy made itself (RFC 9209, Squid). */
const ofProxies = ['proxy-status', 'x-squid-error']

/** Why an error is that of the proxy of the run and not of the server; null: it does not look like one. */
export const proxyProblem = (
  { proxy, target }: RunOptions,
  operation: Operation,
  outcome: Outcome,
): string | null => {
  if (proxy === null || outcome.kind === 'failure' || outcome.response.status < 400) return null
  const { headers } = outcome.response
  const isOwn =
    ofProxies.some(name => header(headers, name) !== null) ||
    (header(headers, 'via') !== null && isUndeclaredPage(operation, outcome))
  return isOwn
    ? `the proxy ${proxy.origin} answers in place of the server (${summary(outcome)}): does it let requests to ${target.host} through (--proxy, HTTP_PROXY, NO_PROXY)?`
    : null
}
