import {
  documentNotes,
  type EndEvent,
  type Finding,
  type NoteEvent,
  questionId,
  type RunEvent,
  type StatusPolicy,
  withOwnIds,
} from '../../spec/index.ts'
import { conditionsOf } from '../cases/conditions/conditions.ts'
import { metIn } from '../confirm/confirm.ts'
import { diagnose } from '../diagnose/diagnose.ts'
import type { FindingOptions } from '../diagnose/finding.ts'
import { connectionNotes } from '../diagnose/lost-connections.ts'
import { loadNotes } from '../diagnose/of-load.ts'
import { refusalsIn } from '../diagnose/refusals.ts'
import type { RunResults } from '../execute/evidence.ts'
import { tellingStats } from '../judge/blocked.ts'
import { incidentsOf, observationsOf } from '../judge/run-stats.ts'
import type { Scope } from '../options/scope.ts'
import { digestOf } from '../plan/plan-digest.ts'
import { baselineNotes } from './baseline-notes.ts'
import { byWeight } from './by-weight.ts'
import { conclusionOf } from './conclusion.ts'
import { withExceptions } from './exceptions.ts'
import { withExcerpts } from './excerpt.ts'
import { slowResponses } from './slow-responses.ts'
import { caseKey, type Diagnosed, verdictsOf } from './verdicts.ts'

/** Concludes from what a run saw: one finding for each cause, one verdict for each obligation, and the end. Sends nothing. */
export function* concludeRun(
  scope: Scope,
  results: RunResults,
  options: FindingOptions & StatusPolicy,
): Generator<RunEvent, void> {
  const { contract, obligations, baseline, waivers } = scope
  const unordered = diagnoseAll(scope, results, options)
  const ordered = byWeight(unordered.findings, obligations)
  const findings = withOwnIds(ordered)
  const renamed = new Map(ordered.map((finding, index) => [finding, findings[index]]))
  const findingOfCase = new Map(
    [...unordered.findingOfCase].map(([key, finding]) => [key, renamed.get(finding) ?? finding] as const),
  )
  const diagnosed: Diagnosed = { ...unordered, findings, findingOfCase }
  const verdicts = verdictsOf(scope, results, diagnosed)
  const { stopped, reason, requests, cases, ms, slices, certificates } = results
  yield* [
    ...documentNotes(contract, scope.rules.callbacks),
    ...baselineNotes(findings, baseline, waivers),
    ...verdicts.flatMap(({ note }) => (note === null ? [] : [note])),
  ].map((message): NoteEvent => ({ type: 'note', level: 'warning', message }))
  yield* connectionNotes(obligations, results.stats)
  yield* loadNotes(results.confirmations)
  yield* withExcerpts(withExceptions(findings, verdicts), contract, obligations)
  for (const { obligation, verdict } of verdicts)
    yield { type: 'verdict', obligation: obligation.id, verdict }
  yield {
    type: 'end',
    stopped,
    reason,
    conclusion: conclusionOf(verdicts, results, scope),
    requests,
    cases,
    ms,
    digest: digestOf(slices),
    pairs: pairsOf(scope, results),
    ...(certificates.length === 0 ? {} : { certificates }),
  }
}

/** The pairs of conditions that the valid requests had, of those that they can have. */
const pairsOf = ({ modelOf }: Scope, { stats }: RunResults): EndEvent['pairs'] => {
  const pairs = { covered: 0, total: 0 }
  for (const [operation, covered] of stats.pairs) {
    pairs.covered += covered.size
    pairs.total += conditionsOf(modelOf(operation)).pairs
  }
  return pairs
}

const diagnoseAll = (
  scope: Scope,
  results: RunResults,
  options: FindingOptions & StatusPolicy,
): Diagnosed => {
  const { stats, blocked, drifted, confirmations, stopped } = results
  // What the token or the URL explains is no fault of the server.
  const findings: Finding[] = stopped === 'access' ? [] : [...blocked.values()]
  const excused = new Map<string, string>()
  const findingOfCase = new Map<string, Finding>()
  const refusals = refusalsIn(drifted)
  const met = metIn(confirmations)
  for (const { id } of scope.contract.operations) {
    const obligations = scope.obligationsOf(id)
    const slow = slowResponses(
      obligations.filter(obligation => scope.isSelected(obligation.id)),
      stats,
      options,
    )
    if (slow !== null) findings.push(slow)
    const hasIncidents = obligations.some(obligation => incidentsOf(stats, obligation.id).length > 0)
    if (!drifted.has(id) && !hasIncidents) continue
    const shown = tellingStats(id, obligations, results)
    const diagnosis = diagnose(obligations, shown, {
      ...options,
      model: scope.modelOf(id),
      confirmations,
      duplicateResponses: observationsOf(stats, questionId(id, 'duplicate-id')).flatMap(
        observation => /^rejected \((.*)\)$/.exec(observation)?.[1] ?? [],
      ),
      drifted: drifted.get(id) ?? null,
      refusals,
      met,
      isServerDown: stopped === 'unreachable',
    })
    findings.push(...diagnosis.findings)
    for (const [obligation, reason] of diagnosis.excused) excused.set(obligation, reason)
    for (const [number, finding] of diagnosis.findingOfCase) findingOfCase.set(caseKey(id, number), finding)
  }
  return { findings, excused, findingOfCase, met }
}
