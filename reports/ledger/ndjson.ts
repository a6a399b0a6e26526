import { type Ledger, type RunEvent, safeText } from '../../spec/index.ts'
import { LedgerError } from '../errors.ts'
import { jsonParts } from '../text/json-parts.ts'
import schema from './ledger.schema.json' with { type: 'json' }
import { createSchemaCheck } from './schema-check.ts'

/** The JSON Schema (2020-12) of one line of `ledger.ndjson`. */
export const ledgerSchema: object = schema

/** One event as one line, with its line break. */
export const writeEvent = (event: RunEvent): string => `${JSON.stringify(event)}\n`

/** The same in parts: the first event of a large contract lists its obligations, and makes a line of more than 100 MB. */
export function* eventParts(event: RunEvent): Generator<string> {
  if (event.type !== 'start') {
    yield writeEvent(event)
    return
  }
  yield* jsonParts(event)
  yield '\n'
}

/** A whole ledger as newline-delimited JSON, its events in canonical order; folding them gives the same ledger again. */
export const writeLedger = (ledger: Ledger): string => [...ledgerParts(ledger)].join('')

/** The same in parts. */
export function* ledgerParts(ledger: Ledger): Generator<string> {
  for (const event of eventsOf(ledger)) yield* eventParts(event)
}

function* eventsOf(ledger: Ledger): Generator<RunEvent> {
  yield ledger.start
  yield* ledger.exchanges
  yield* ledger.findings
  yield* ledger.notes
  for (const { obligation, verdict } of ledger.entries)
    yield { type: 'verdict', obligation: obligation.id, verdict }
  if (ledger.end !== null) yield ledger.end
}

const check = createSchemaCheck(schema)

/**
 * Reads the text of a `ledger.ndjson`. A last line that was cut off is left out and becomes a note; anything else that
 * is not an event throws LedgerError.
 */
export const readLedger = (text: string): readonly RunEvent[] => [...readEvents(text.split('\n'))]

/** The same from its lines, without their breaks; what follows the last break is a line as well. Each is read when it is asked for. */
export function* readEvents(lines: Iterable<string>): Generator<RunEvent> {
  let isFirst = true
  let number = 0
  /** The number of a line that is not JSON: it was cut off if it is the last. */
  let broken: number | null = null
  for (const line of lines) {
    if (broken !== null) throw new LedgerError(`line ${broken} is not an event of a run: it is not JSON`)
    number += 1
    const text = number === 1 ? line.replace(/^\ufeff/, '') : line
    if (text.trim() === '') continue
    const value = parse(text)
    if (value === undefined) {
      broken = number
      continue
    }
    const problem = check(value)
    if (problem !== null)
      throw new LedgerError(`line ${number} is not an event of a run: ${safeText(problem)}`)
    const event = value as RunEvent
    if ((event.type === 'start') !== isFirst) throw new LedgerError(startProblem(event, number))
    isFirst = false
    yield event
  }
  if (broken === 1) throw new LedgerError('line 1 is not an event of a run: it is not JSON')
  if (broken !== null)
    yield {
      type: 'note',
      level: 'warning',
      message: `the ledger was cut off in line ${broken}: everything after it is missing`,
    }
  else if (isFirst) throw new LedgerError('line 1 is not an event of a run: the file is empty')
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
