import type { Ledger, RunEvent } from '../spec/index.ts'

/** One event as one line, with its line break. */
export const writeEvent = (event: RunEvent): string => `${JSON.stringify(event)}\n`

/** The events of a ledger in their canonical order; folding them gives the same ledger again. */
const eventsOf = (ledger: Ledger): readonly RunEvent[] => [
  ledger.start,
  ...ledger.exchanges,
  ...ledger.findings,
  ...ledger.notes,
  ...ledger.entries.map(
    ({ obligation, verdict }) => ({ type: 'verdict', obligation: obligation.id, verdict }) as const,
  ),
  ...(ledger.end === null ? [] : [ledger.end]),
]

/** A ledger as newline-delimited JSON. */
export const ndjson = (ledger: Ledger): string => eventsOf(ledger).map(writeEvent).join('')
