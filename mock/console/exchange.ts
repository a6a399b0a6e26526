import { type Headers, header, redact } from '../../spec/index.ts'
import { shownViolations } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { snippetsOf } from './code-snippets.ts'
import type { Body, ExchangeDetails, ExchangeSummary, HeaderField } from './messages.ts'
import type { Mask } from './secrets.ts'

/** The header by which the console's form finds the exchange that it caused. */
const markHeader = 'plantstore-mark'

export const exchangeSummaryOf = (mask: Mask, entry: Entry): ExchangeSummary => {
  const { number, at, ms, method, target, headers, status, operation, scenario } = entry
  const violations = shownViolations(entry)
  const secrets = violations.length === 0 ? [] : mask.secretsOf(target, headers).map(exact => ({ exact }))
  return {
    number,
    at,
    ms,
    method,
    target: withDots(mask.target(target)).slice(0, 2000),
    status,
    operation,
    violations: violations.map(({ id, code, message }) => ({
      id,
      code,
      message: withDots(redact(message, secrets)),
    })),
    scenario,
    client: header(headers, 'plantstore-client'),
    mark: header(headers, markHeader),
  }
}

/** Everything about an exchange, but for the requirements that it violates. `origin`: at which the page reaches the mock. */
export const exchangeDetailsOf = (
  mask: Mask,
  entry: Entry,
  origin: string,
): Omit<ExchangeDetails, 'violations' | 'editable' | 'like'> => {
  const at = withOrigin(entry, origin)
  return {
    summary: exchangeSummaryOf(mask, entry),
    target: entry.target,
    requestHeaders: headerFields(mask, entry.headers),
    requestBody: entry.body === null ? null : bodyOf(entry.body, entry.bodySize),
    responseHeaders: headerFields(mask, entry.responseHeaders),
    responseBody: bodyOf(entry.responseBody, entry.responseSize),
    secrets: mask.secretsOf(entry.target, entry.headers),
    maskedSnippets: snippetsOf(mask, at.entry, at.origin, 'masked'),
    revealedSnippets: snippetsOf(mask, at.entry, at.origin, 'revealed'),
  }
}

/** A callback went to a URL of its own. */
const withOrigin = (entry: Entry, origin: string): { readonly entry: Entry; readonly origin: string } => {
  const own = /^https?:\/\/[^/?#]+/i.exec(entry.target)?.[0]
  if (own === undefined) return { entry, origin }
  const rest = entry.target.slice(own.length)
  return { entry: { ...entry, target: rest.startsWith('/') ? rest : `/${rest}` }, origin: own }
}

const headerFields = (mask: Mask, headers: Headers): readonly HeaderField[] =>
  headers
    .filter(([name]) => name.toLowerCase() !== markHeader)
    .map(([name, value]) => ({ name, value, masked: withDots(mask.header(name, value)) }))

const withDots = (text: string): string => text.replace(/\{\{token(?::basic)?\}\}/g, '••••••')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const bodyOf = (bytes: Uint8Array, size: number): Body => {
  const text = textOf(bytes, size > bytes.length)
  return {
    size,
    kept: bytes.length,
    text,
    base64: text === null ? Buffer.from(bytes).toString('base64') : null,
  }
}

/** Null: it is not text. If the body was cut, its last character may be incomplete. */
const textOf = (bytes: Uint8Array, isCut: boolean): string | null => {
  for (const missing of isCut ? [0, 1, 2, 3] : [0]) {
    try {
      const text = utf8.decode(bytes.subarray(0, bytes.length - missing))
      return text.includes('\0') ? null : text
    } catch {}
  }
  return null
}
