import type { RunEvent } from '../spec/index.ts'
import { eventShape } from './event-shape.ts'
import { safeText } from './safe-text.ts'

/** A file that is not a ledger, or a broken one. The message is one line that names the line of the file. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

/**
 * Reads `ledger.ndjson` again. A last line that was cut off is left out, and a note says so; anything else that is
 * not an event throws LedgerError.
 */
export const readLedger = (text: string): readonly RunEvent[] => {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  const events: RunEvent[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = parse(line)
    const problem = value === undefined ? 'it is not JSON' : eventShape(value, '')
    if (problem !== null && value === undefined && index > 0 && index === lines.length - 1) {
      events.push({
        type: 'note',
        level: 'warning',
        message: `the ledger was cut off in line ${index + 1}: what came after is missing`,
      })
      break
    }
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
