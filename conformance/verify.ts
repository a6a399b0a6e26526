import { foldLedger, type Ledger, type RunEvent } from '../spec/index.ts'
import type { Evidence } from './execute/evidence.ts'
import { execute } from './execute/execute.ts'
import { inPlanOrder } from './judge/run-stats.ts'
import { type GivenOptions, rulesOf } from './options/run-options.ts'
import { additionsOf, withAdditions, withoutSecrets } from './send/redaction.ts'
import { concludeRun } from './verdict/conclude-run.ts'

/** Verifies a server: sends all requests of the run, concludes, and emits events all the while. */
export const run = async (options: GivenOptions): Promise<Ledger> => {
  const { events, emit, told } = createEvents(options)
  const { scope, results } = await execute(options, emit)
  const inOrder = { ...results, stats: inPlanOrder(results.stats) }
  // Of a large contract there are hundreds of thousands of verdicts: as events they are not kept.
  function* all(): Generator<RunEvent> {
    yield* events
    for (const event of concludeRun(scope, inOrder, options)) yield told(event)
  }
  return foldLedger(all())
}

/** Sends some slices of the plan and concludes nothing: `mergeShards` does, from all shards. */
export const runShard = async (options: GivenOptions): Promise<Evidence> => {
  const { events, emit } = createEvents(options)
  const { results } = await execute(options, emit)
  const { start, notes, exchanges } = foldLedger(events)
  return { start, rules: rulesOf(options), notes, exchanges, results }
}

/** Hands on the events of a run, without secrets; those that are emitted are kept as well. */
const createEvents = (options: GivenOptions) => {
  const additions = additionsOf(options)
  const events: RunEvent[] = []
  const told = (raw: RunEvent): RunEvent => {
    const event = withAdditions(withoutSecrets(raw, options.secrets), additions)
    options.onEvent(event)
    return event
  }
  const emit = (raw: RunEvent): void => {
    events.push(told(raw))
  }
  return { events, emit, told }
}
