import { type RunEvent, redact, type Secret } from '../spec/index.ts'

/** What a server said may hold the token that it was sent; ids and clauses are our own words. */
export const withoutToken = (event: RunEvent, tokens: readonly Secret[]): RunEvent => {
  switch (event.type) {
    case 'finding':
      return { ...event, wanted: redact(event.wanted, tokens), got: redact(event.got, tokens) }
    case 'verdict':
      return event.verdict.kind === 'observed'
        ? { ...event, verdict: { ...event.verdict, what: redact(event.verdict.what, tokens) } }
        : event
    case 'end':
      return { ...event, why: event.why === null ? null : redact(event.why, tokens) }
    default:
      return event
  }
}
