import { header, type Outcome } from '../../spec/index.ts'

/** Times that a case is sent again because the server asks for patience. */
const retries = 5
/** A server may ask for no wait at all; a short one keeps us from flooding it. */
const shortestMs = 20

/** Milliseconds that a busy server (429 or 503) asks to wait (RFC 9110 10.2.3); null if it does not. */
const retryAfter = (outcome: Outcome): number | null => {
  if (outcome.kind === 'failure' || (outcome.response.status !== 429 && outcome.response.status !== 503))
    return null
  const { headers } = outcome.response
  const after = header(headers, 'retry-after')
  if (after === null) return null
  // A date is one of the server's clock, which it sends as well.
  const seconds = /^\d+$/.test(after.trim())
    ? Number(after)
    : (Date.parse(after) - Date.parse(header(headers, 'date') ?? '')) / 1000
  return Number.isNaN(seconds) ? null : Math.max(shortestMs, seconds * 1000)
}

/**
 * Sends again as long as the server asks to wait, and for no longer than `longestMs`. Gives the last outcome, and how often it
 * waited.
 */
export const sendPatiently = async (
  send: () => Promise<Outcome>,
  longestMs: number,
): Promise<{ readonly outcome: Outcome; readonly waits: number }> => {
  for (let waits = 0; ; waits++) {
    const outcome = await send()
    const wait = waits < retries ? retryAfter(outcome) : null
    if (wait === null || wait > longestMs) return { outcome, waits }
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}
