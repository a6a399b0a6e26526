import type { Ledger, RunEvent } from '../../spec/index.ts'
import { LedgerError } from '../errors.ts'
import { safeText } from '../text/safe-text.ts'
import schema from './ledger.schema.json' with { type: 'json' }
import { createSchemaCheck } from './schema-check.ts'

/** The JSON Schema (2020-12) of one line of `ledger.ndjson`. */
export const ledgerSchema: object = schema

/** One event as one line, with its line break. */
export const writeEvent = (event: RunEvent): string => `${JSON.stringify(event)}\n`

/** A whole ledger as newline-delimited JSON, its events in canonical order; folding them gives the same ledger again. */
export const writeLedger = (ledger: Ledger): string => eventsOf(ledger).map(writeEvent).join('')

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

const check = createSchemaCheck(schema)

/**
 * Reads the text of a `ledger.ndjson`. A last line that was cut off is left out and becomes a note; anything else that
 * is not an event throws LedgerError.
 */
export const readLedger = (text: string): readonly RunEvent[] => {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  const events: RunEvent[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = parse(line)
    if (value === undefined && index > 0 && index === lines.length - 1) {
      events.push({
        type: 'note',
        level: 'warning',
        message: `the ledger was cut off in line ${index + 1}: everything after it is missing`,
      })
      break
    }
    const problem = value === undefined ? 'it is not JSON' : check(value)
    if (problem !== null)
      throw new LedgerError(`line ${index + 1} is not an event of a run: ${safeText(problem)}`)
    const event = value as RunEvent
    if ((event.type === 'start') !== (events.length === 0))
      throw new LedgerError(startProblem(event, index + 1))
    events.push(event)
  }
  if (events.length === 0) throw new LedgerError('line 1 is not an event of a run: the file is empty')
  return events
}

const startProblem = (event: RunEvent, line: number): string =>
  event.type === 'start'
    ? `line ${line} starts a second run: a ledger holds one`
    : `line ${line} is not the start of a run: a ledger begins with its start event`

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
