import {
  type Baseline,
  type Contract,
  causeOf,
  documentNotes,
  type EndEvent,
  type Family,
  type Finding,
  isAccepted,
  isWronglyAccepted,
  type NoteEvent,
  type Obligation,
  questionId,
  type RunEvent,
  type StatusPolicy,
  type Waivers,
  withOwnIds,
} from '../../spec/index.ts'
import { conditionsOf } from '../cases/conditions/conditions.ts'
import { metIn } from '../confirm/confirm.ts'
import { diagnose } from '../diagnose/diagnose.ts'
import type { FindingOptions } from '../diagnose/finding.ts'
import { connectionNotes, loadNotes } from '../diagnose/of-load.ts'
import { refusalsIn } from '../diagnose/of-state.ts'
import type { RunResults } from '../execute/evidence.ts'
import { tellingStats } from '../judge/blocked.ts'
import { notChecked } from '../judge/mechanism.ts'
import { placeOfRequest, requestKind } from '../judge/request-kind.ts'
import { errorsIn } from '../judge/response-kind.ts'
import { incidentsOf, observationsOf } from '../judge/run-stats.ts'
import type { Scope } from '../options/scope.ts'
import { digestOf } from '../plan/plan-slice.ts'
import { conclusionOf, isServerGone, type Verdicts } from './conclusion.ts'
import { slowResponses } from './slow-responses.ts'
import { caseKey, type Diagnosed, verdictsOf } from './verdicts.ts'

/** Places that are named. */
const mostNamed = 3

/**
 * Says with the first finding of what is not checked at which places no request of the same kind was accepted: who mends the cause sees that it
 * is not everywhere.
 */
const withExceptions = (findings: readonly Finding[], verdicts: Verdicts): readonly Finding[] => {
  const told = new Set<string>()
  const places = Map.groupBy(
    verdicts.filter(({ obligation }) => obligation.family === 'reject'),
    ({ obligation }) => notChecked(requestKind(obligation, 'reject')),
  )
  return findings.map(finding => {
    const { cause } = finding
    if (cause === undefined || told.has(cause.key)) return finding
    told.add(cause.key)
    const of = Map.groupBy(places.get(cause.key) ?? [], ({ obligation }) => placeIn(obligation))
    const others = [...of]
      .filter(([, all]) => all.every(({ verdict }) => verdict.kind === 'passed'))
      .map(([place]) => place)
    return others.length === 0
      ? finding
      : {
          ...finding,
          cause: { ...cause, exceptions: { count: others.length, places: others.slice(0, mostNamed) } },
        }
  })
}

/** `createPlant: \`tag\`` */
const placeIn = (obligation: Obligation): string => {
  const place = placeOfRequest(obligation)
  return place === '' ? obligation.operation : `${obligation.operation}: ${place}`
}

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

/** Incidents of an obligation that tell its server errors. */
const mostTelling = 3

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
  const errors = errorsIn(
    scope.obligations.flatMap(each =>
      incidentsOf(stats, each.id)
        .slice(0, mostTelling)
        .map(incident => [each, incident] as const),
    ),
  )
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
      errors,
      model: scope.modelOf(id),
      confirmations,
      duplicateResponses: observationsOf(stats, questionId(id, 'duplicate-id')).flatMap(
        observation => /^rejected \((.*)\)$/.exec(observation)?.[1] ?? [],
      ),
      drifted: drifted.get(id) ?? null,
      refusals,
      met,
      isServerDown: isServerGone(stopped),
    })
    findings.push(...diagnosis.findings)
    for (const [obligation, reason] of diagnosis.excused) excused.set(obligation, reason)
    for (const [number, finding] of diagnosis.findingOfCase) findingOfCase.set(caseKey(id, number), finding)
  }
  return { findings, excused, findingOfCase, met }
}

/** The findings with those lines of the contract that their obligations come from. */
const withExcerpts = (
  findings: readonly Finding[],
  contract: Contract,
  obligations: readonly Obligation[],
): readonly Finding[] => {
  const told = new Set(findings.map(({ obligation }) => obligation))
  const pointers = new Map(
    obligations.filter(({ id }) => told.has(id)).map(({ id, clause }) => [id, clause.pointer]),
  )
  return findings.map(finding => {
    const pointer = pointers.get(finding.obligation)
    return pointer === undefined ? finding : { ...finding, excerpt: contract.excerpt(pointer) }
  })
}

/** One note for each obligation of the baseline that now fails for another cause. */
const baselineNotes = (
  findings: readonly Finding[],
  baseline: Baseline,
  waivers: Waivers,
): readonly string[] =>
  findings.flatMap(finding =>
    [finding.obligation, ...finding.also].flatMap(id => {
      const accepted = baseline.of(id)
      return accepted === null || isAccepted(accepted, finding) || waivers.of(id) !== null
        ? []
        : [
            `${id} fails for another cause than in the baseline («${causeOf(finding)}», not «${accepted.cause}»), so it counts`,
          ]
    }),
  )

/**
 * Who decides reads the first findings only. That the server fails comes first, at any level and whether or not the document declares it;
 * what lets anybody in or mixes data up comes before what is merely not as declared.
 */
const weights = ['crash', 'auth', 'data', 'accepted', 'rejected', 'shape', 'protocol'] as const

/** What these families are about gets lost or comes twice. */
const ofData: ReadonlySet<Family> = new Set(['state', 'idempotency', 'conditional'])

type Weight = (typeof weights)[number]

/** The findings with the gravest first: by level, then by what they mean, then in the order of the contract. */
const byWeight = (findings: readonly Finding[], obligations: readonly Obligation[]): readonly Finding[] => {
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  const rank = (finding: Finding): number => {
    const weight = weightOf(finding, byId.get(finding.obligation))
    const level = finding.level === 'MUST' ? 0 : weights.length
    return weight === 'crash' ? level / (weights.length + 1) : level + weights.indexOf(weight)
  }
  return findings.toSorted((left, right) => rank(left) - rank(right))
}

const weightOf = (finding: Finding, obligation: Obligation | undefined): Weight => {
  const { outcome } = finding
  const { family = 'response', subject } = obligation ?? {}
  const status = outcome.kind === 'response' ? outcome.status : null
  if (family === 'protocol') return 'protocol'
  if (status === null || status >= 500) return 'crash'
  if ((family === 'auth' && status < 400) || family === 'ownership') return 'auth'
  const isPairing = subject?.kind === 'stability' && subject.name === 'pairing'
  const isEcho = subject?.kind === 'response' && subject.aspect === 'echo'
  if (ofData.has(family) || isPairing || isEcho) return 'data'
  if (isWronglyAccepted(finding)) return 'accepted'
  return family === 'response' ? 'shape' : 'rejected'
}
