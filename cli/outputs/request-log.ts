import { type Entry, type Served, shownViolation, shownViolations } from '../../mock/index.ts'
import { type Paint, redact, type Secret, safeText } from '../../spec/index.ts'
import { asciiJson } from './document-text.ts'

/** Removes credentials from a request target: known tokens, and the values of query parameters that carry credentials. */
export type Redact = (text: string) => string

const mostReasons = 5
const longestTarget = 300

/** `18:26:24.123  POST /plants  400  0.4 ms  createPlant`, and below it the request violations. */
export const logLine = (entry: Entry, paint: Paint, redactTarget: Redact): string => {
  const { method, target, status, ms, operation, scenario } = entry
  const violations = shownViolations(entry)
  const what = method === '' ? 'not HTTP' : safeText(cut(redactTarget(`${method} ${target}`)))
  const style = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'
  const parts = [
    paint('dim', timeOf(entry.at)),
    what,
    paint(style, String(status)),
    paint('dim', `${ms.toFixed(1)} ms`),
    ...(operation === null ? (method === '' ? [] : [paint('dim', 'not declared')]) : [safeText(operation)]),
    ...(scenario === null ? [] : [paint('cyan', `[${safeText(scenario)}]`)]),
  ]
  const reasons = violations
    .slice(0, mostReasons)
    .map(({ id, message }) => `  ${safeText(redactTarget(message))}  ${paint('dim', safeText(id))}`)
  const rest = violations.length - mostReasons
  return [parts.join('  '), ...reasons, ...(rest > 0 ? [paint('dim', `  and ${rest} more`)] : [])].join('\n')
}

/** One JSON object per line, in ASCII. */
export const logJson = (entry: Entry, redactTarget: Redact): string => {
  const { method, target, status, ms, operation, violations, scenario, forwarded } = entry
  return asciiJson({
    time: new Date(entry.at).toISOString(),
    method,
    target: redactTarget(target),
    status,
    ms: Number(ms.toFixed(3)),
    operation,
    violations: violations.map(({ id, message }) => ({ id, message: redactTarget(message) })),
    scenario,
    ...(forwarded === null
      ? {}
      : {
          response: forwarded.violations.map(shownViolation).map(({ id, message }) => ({
            id,
            message: redactTarget(message),
          })),
        }),
  })
}

/** `documents` returns the same list until the documents are reloaded. */
export const createRedact = (documents: () => readonly Served[], tokens: readonly Secret[]): Redact => {
  let known: readonly Served[] | null = null
  let keys = new Set<string>()
  return text => {
    const given = redact(text, tokens)
    const plain = given.includes('@') ? given.replace(/(https?:\/\/)[^/?#]*@/gi, '$1{{token}}@') : given
    if (!plain.includes('?')) return plain
    const now = documents()
    if (now !== known) {
      keys = queryKeys(now)
      known = now
    }
    return plain.replace(/([?&])([^=&#]*)(=[^&#]*)?/g, (all, mark: string, name: string, value?: string) =>
      value !== undefined && keys.has(decoded(name).toLowerCase()) ? `${mark}${name}={{token}}` : all,
    )
  }
}

/** The names of API keys in queries, and that of bearer tokens there (RFC 6750 2.3), in lower case. */
const queryKeys = (documents: readonly Served[]): Set<string> => {
  const schemes = documents.flatMap(({ contract }) =>
    contract.operations.flatMap(({ security }) => security.flat()),
  )
  const keys = schemes.flatMap(scheme =>
    scheme.kind === 'apiKey' && scheme.in === 'query' ? [scheme.key] : [],
  )
  return new Set(['access_token', ...keys.map(key => key.toLowerCase())])
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const cut = (text: string): string =>
  text.length > longestTarget ? `${text.slice(0, longestTarget)}…` : text

const timeOf = (at: number): string => {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
