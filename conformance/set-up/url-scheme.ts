import type { HttpRequest, Outcome } from '../../spec/index.ts'
import { createTransport } from '../send/transport/index.ts'
import type { Way } from './base-url.ts'

/** What a server of TLS answers to plain HTTP, in all of nginx, Apache, Go and others. */
const asksForTls = /\bhttps\b|\btls\b|\bssl\b/i

/**
 * Whether the server speaks HTTPS where its URL says http, or the other way around: found by one GET of `/` without any credentials. `outcome`:
 * what came of a request. Null: it does not look like that, or the other scheme is not answered either.
 */
export const schemeProblem = async ({ options, refusal }: Way, outcome: Outcome): Promise<string | null> => {
  const { target } = options
  if (!mayBeOtherScheme(outcome) || refusal(root) !== null) return null
  const other = new URL(target)
  other.protocol = target.protocol === 'http:' ? 'https:' : 'http:'
  // The port of the other scheme would be another one: with none in the URL, nothing tells.
  if (other.port === '') return null
  const transport = createTransport({
    ...options,
    timeoutMs: Math.min(options.timeoutMs, mostMs),
    // Nothing secret is sent, so it does not matter who answers.
    insecure: true,
    headers: [],
    target: new URL(other.origin),
    token: () => '',
  })
  try {
    const answered = await transport.send(root)
    if (answered.kind === 'failure' || mayBeOtherScheme(answered)) return null
    const [spoken, named] = [other, target].map(({ protocol }) => protocol.slice(0, -1).toUpperCase())
    return `the server speaks ${spoken}, and not ${named}: try ${other.href}`
  } finally {
    await transport.close()
  }
}

const root: HttpRequest = { method: 'GET', target: '/', headers: [], body: null, chunked: false }

/** Milliseconds for the answer to it. */
const mostMs = 1500

const mayBeOtherScheme = (outcome: Outcome): boolean =>
  outcome.kind === 'failure'
    ? ['unreachable', 'reset', 'malformed', 'timeout'].includes(outcome.failure)
    : outcome.response.status === 400 &&
      asksForTls.test(new TextDecoder().decode(outcome.response.body.subarray(0, 2000)))
