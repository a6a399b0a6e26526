import {
  type Headers,
  type RecordedBody,
  type RecordedOutcome,
  type RecordedRequest,
  safeLines,
  safeText,
} from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'
import { outcomeLine, rawText } from './exchange-line.ts'

const limit = 100_000

/** A request as it was sent, in lines that are safe to print. */
export const requestLines = ({
  method,
  target,
  headers,
  body,
  chunked,
  raw,
}: RecordedRequest): readonly string[] => {
  if (raw !== undefined) return safeLines(cutText(rawText(raw), limit))
  const framing: Headers = chunked ? [['Transfer-Encoding', 'chunked']] : []
  return [
    `${safeText(method)} ${safeText(target)}`,
    ...headerLines([...headers, ...framing]),
    ...bodyLines(body),
  ]
}

/** A response as it was received, or why there was none, in lines that are safe to print. */
export const outcomeLines = (outcome: RecordedOutcome): readonly string[] =>
  outcome.kind === 'failure'
    ? [outcomeLine(outcome, limit)]
    : [String(outcome.status), ...headerLines(outcome.headers), ...bodyLines(outcome.body)]

const headerLines = (headers: Headers): readonly string[] =>
  headers.map(([name, value]) => `${safeText(name)}: ${safeText(value)}`)

const bodyLines = (body: RecordedBody | null): readonly string[] => {
  if (body === null || body.bytes === 0) return []
  const encoding = body.encoding === 'base64' ? [`(base64 of ${body.bytes} bytes)`] : []
  return ['', ...encoding, ...safeLines(cutText(body.data, limit, body.bytes))]
}
