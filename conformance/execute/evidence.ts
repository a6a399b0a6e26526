import type { ExchangeEvent, Finding, NoteEvent, ServerCertificate, StartEvent } from '../../spec/index.ts'
import type { Confirmations } from '../confirm/confirm.ts'
import type { Incident, RunStats } from '../judge/run-stats.ts'
import type { Rules } from '../options/run-options.ts'
import type { Additions } from '../send/redaction.ts'
import type { SentPlan } from './send-plan.ts'

/** All that came of sending; whatever follows is concluded from it, without another request. */
export type RunResults = SentPlan & {
  /** Requests sent, with those beyond the plan. */
  readonly requests: number
  /** Milliseconds. */
  readonly ms: number
  readonly stats: RunStats
  /** Operations that accept no valid request, and the finding that says so. */
  readonly blocked: ReadonlyMap<string, Finding>
  /** Operations that ask for something that exists, and why nothing that does is known. */
  readonly unnamed: ReadonlyMap<string, string>
  /** By operation: a valid request that the server rejected after the cases. */
  readonly drifted: ReadonlyMap<string, Incident>
  readonly confirmations: Confirmations
  readonly additions: Additions
  /** The certificates that the server showed; none without TLS. */
  readonly certificates: readonly ServerCertificate[]
}

/** One shard of a run, or a run in one piece: by which rules it was sent, what it reported, and what came of it. */
export type Evidence = {
  readonly start: StartEvent
  readonly rules: Rules
  readonly notes: readonly NoteEvent[]
  readonly exchanges: readonly ExchangeEvent[]
  readonly results: RunResults
}
