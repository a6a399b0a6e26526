import { createWaivers, foldLedger, type Ledger, type RunEvent, redact, type Secret } from '../spec/index.ts'
import { collect } from './collect.ts'
import type { Evidence } from './evidence.ts'
import { extended, extrasOf, secretsOf } from './extra-headers.ts'
import { inOrderOfPlan } from './observe.ts'
import type { RunOptions } from './run-options.ts'
import { settle } from './settle.ts'

/** Judges a server: plans, sends, judges, and tells it as a stream of events. Throws only where it could not judge. */
export const run = async (options: RunOptions): Promise<Ledger> => {
  const events: RunEvent[] = []
  const emit = teller(options, events)
  const { found, script, waivers } = await collect(options, waiversOf(options), emit)
  const told = settle(
    { ...found, seen: inOrderOfPlan(found.seen) },
    {
      start: { target: options.target.href },
      obligations: script.obligations,
      modelOf: operation => script.partOf(operation).model,
      asks: script.asks,
      waivers,
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
  const { found } = await collect(options, waiversOf(options), emit)
  const { start, notes, exchanges } = foldLedger(events)
  return { start, notes, exchanges, found }
}

const waiversOf =
  ({ waivers, at }: RunOptions): Parameters<typeof collect>[1] =>
  ({ obligations }) =>
    createWaivers(obligations, waivers, at)

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

/** What a server said may hold the token that it was sent; ids and clauses are our own words. */
const withoutToken = (event: RunEvent, tokens: readonly Secret[]): RunEvent => {
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
