import type { ExchangeEvent, Finding, Ledger } from '../../spec/index.ts'
import { plural } from '../count.ts'
import { entryOf } from './entry.ts'
import { harHead, harTail } from './log.ts'

/**
 * The exchanges that a ledger holds as HAR 1.2, each with its case and what it breaks; those of findings come last, in
 * their smallest form.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export const har = (ledger: Ledger): string => {
  const { start, end, exchanges, findings } = ledger
  const origin = {
    base: URL.canParse(start.target) ? start.target : `http://${start.target}`,
    began: Date.parse(start.at) || 0,
  }
  const entries = [
    ...exchanges.map(event => ({ event, broken: event.broken })),
    ...findings.map(event => ({ event, broken: [event.obligation, ...event.also] })),
  ].map(({ event, broken }) => ({
    // A ledger tells no moment of an exchange but that of the run.
    ...entryOf({ request: event.request, outcome: event.outcome, at: 0 }, origin),
    comment: commentOf(event),
    _case: event.id,
    _obligation: event.obligation,
    _broken: broken,
  }))
  const sent = end?.requests ?? null
  const comments = [
    `${plural(exchanges.length, 'exchange')} of ${sent === null ? 'a run that was cut off' : plural(sent, 'request')}, and ${plural(findings.length, 'finding')}: a ledger keeps the first of each kind, what broke something, and a sample; \`verify --har FILE\` writes every one.`,
    'All bear the moment that the run began.',
  ]
  return `${harHead(start.product)}${entries.map(entry => `\n${JSON.stringify(entry)}`).join(',')}${harTail(comments)}`
}

const commentOf = (event: ExchangeEvent | Finding): string =>
  event.type === 'finding'
    ? `the smallest case of finding ${event.id}: ${event.obligation}`
    : `case ${event.id}: ${event.obligation}`
