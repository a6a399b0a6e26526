import { foldLedger, type Ledger, type RunEvent } from '../spec/index.ts'
import { collect } from './collect.ts'
import type { Evidence } from './evidence.ts'
import { extended, extrasOf, secretsOf } from './extra-headers.ts'
import { inOrderOfPlan } from './observe.ts'
import type { RunOptions } from './run-options.ts'
import { settle } from './settle.ts'
import { withoutToken } from './without-token.ts'

/** Judges a server: plans, sends, judges, and tells it as a stream of events. Throws only where it could not judge. */
export const run = async (options: RunOptions): Promise<Ledger> => {
  const events: RunEvent[] = []
  const emit = teller(options, events)
  const { found, script, waivers, baseline } = await collect(options, emit)
  const told = settle(
    { ...found, seen: inOrderOfPlan(found.seen) },
    {
      start: { target: options.target.href },
      contract: options.contract,
      obligations: script.obligations,
      modelOf: operation => script.partOf(operation).model,
      asks: script.asks,
      waivers,
      baseline,
      policy: options.unauthenticated,
      strict: options.strict,
      secrets: secretsOf(options.token, options.access),
    },
  )
  for (const event of told) emit(event)
  return foldLedger(events)
}

/** Sends some cells of the plan, and gives what they showed; `conclude` puts such parts together. */
export const runPart = async (options: RunOptions): Promise<Evidence> => {
  const events: RunEvent[] = []
  const emit = teller(options, events)
  const { found } = await collect(options, emit)
  const { start, notes, exchanges } = foldLedger(events)
  const { baseline, shrinkBaseline, pins } = options
  return { start, gates: { baseline, shrinkBaseline, pins }, notes, exchanges, found }
}

/** Hands events on as they may be written down. */
const teller = ({ token, access, onEvent }: RunOptions, events: RunEvent[]) => {
  const tokens = secretsOf(token, access)
  const extras = extrasOf(access)
  return (told: RunEvent): void => {
    const event = extended(withoutToken(told, tokens), extras)
    events.push(event)
    onEvent(event)
  }
}
