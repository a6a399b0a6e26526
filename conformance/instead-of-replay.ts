import {
  type ExchangeEvent,
  type Finding,
  isBelow,
  type Ledger,
  pathOf,
  type RecordedObligation,
} from '../spec/index.ts'

/** How to see again what a single request does not show: one line; null if one shows it. */
export const insteadOfReplay = (
  { steps, obligation: id }: Finding | ExchangeEvent,
  recorded: RecordedObligation | undefined,
  { policies: { arazzo, listen } }: Ledger['start'],
): string | null => {
  if (isBelow(recorded?.names ?? [], timePath))
    return 'a response time is measured over many responses: run verify with --max-response-time again'
  if (recorded?.family === 'flow' || steps?.some(({ role }) => role === 'flow') === true)
    return `it is a step of a workflow: run that again, with plantstore verify … --arazzo ${arazzo} --only ${id}`
  return recorded?.family === 'callback'
    ? `it is about a callback: listen for that again, with plantstore verify … --listen ${listen} --only ${id}`
    : null
}

/** What is above all limits of response times. */
const timePath = pathOf({ kind: 'response-time', measure: 'max', ms: 0 }).slice(0, -1)
