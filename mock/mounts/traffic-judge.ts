import type { Contract, TrafficEntry } from '../../spec/index.ts'
import type { JudgedRequest } from '../engine/request.ts'
import type { ShownViolation } from '../middleware/journal-entry.ts'
import { type ProxyRun, type RunOptions, recordRun } from '../proxy/run.ts'
import {
  type ApiServer,
  judgeEntry,
  type PlacedEntry,
  type PlacedTraffic,
  placeTraffic,
  recordedResponse,
} from '../recorded/place-traffic.ts'
import { buildMock } from './build.ts'
import { type HandlerOptions, settingsOf } from './options.ts'

/** Judges recorded traffic as a proxy judges what goes through it, without a server. */
export type TrafficJudge = {
  readonly contract: Contract
  /** Finds what belongs to the operations. */
  readonly place: (entries: readonly TrafficEntry[], server: ApiServer) => PlacedTraffic
  /** Takes what is judged from now on as a run of the contract's tests. */
  readonly record: (options: RunOptions) => ProxyRun
  readonly judge: (placed: PlacedEntry) => {
    /** What the request breaks. */
    readonly violations: readonly ShownViolation[]
    /** Why request or response were not judged, or not to their ends; null: they were. */
    readonly unjudged: string | null
    /** What the request says, as far as it can be read. */
    readonly request: Pick<JudgedRequest, 'operation' | 'parameters' | 'body'> | null
  }
  readonly close: () => Promise<void>
}

/** Throws as `createMock` does. */
export const createTrafficJudge = async (options: HandlerOptions): Promise<TrafficJudge> => {
  const { admin, close, documents, journal } = await buildMock(settingsOf(options))
  const [first] = documents()
  if (first === undefined) throw new Error('there is no document')
  return {
    contract: first.contract,
    place: (entries, server) => placeTraffic(entries, admin.documents(), server),
    record: run => recordRun(admin, run),
    judge: placed => {
      const context = judgeEntry(placed)
      journal.record(context, recordedResponse(context), placed.entry.ms)
      return {
        violations: context.judged?.violations ?? [],
        unjudged: context.forwarded?.unjudged ?? null,
        request: context.judged,
      }
    },
    close,
  }
}
