import { type Finding, isOneOfFew, type Obligation, type Unauthenticated } from '../spec/index.ts'
import { mergeCauses } from './causes.ts'
import {
  type Cluster,
  clusterOf,
  driftCluster,
  flakyClusters,
  isExplained,
  joinClusters,
  pairingCluster,
  promoted,
  tellingOf,
  withAsked,
} from './cluster.ts'
import { type Confirmations, confirmedOf, isFromDrift, isSpent, questionsOf } from './confirm.ts'
import { type FindingOptions, primaryOf, toFinding } from './findings.ts'
import { foldChance, foldFew, foldRest } from './fold.ts'
import { groupIncidents } from './group.ts'
import type { Model } from './model.ts'
import { type Incident, type Seen, wasKept } from './observe.ts'

export type Diagnosis = {
  readonly findings: readonly Finding[]
  /** Obligations whose incidents say nothing after all, and why. */
  readonly excused: ReadonlyMap<string, string>
}

export type DiagnoseOptions = FindingOptions & {
  readonly model: Model
  readonly policy: Unauthenticated
  /** What came of sending incidents again. */
  readonly confirmations: Confirmations
  /** Whether the server refuses an identity that it has seen. */
  readonly refusesDuplicates: boolean
  /** The valid request that it did not accept any more at the end of the run; null where it still does. */
  readonly drifted: Pick<Incident, 'asked' | 'outcome'> | null
}

const spentIdentity =
  'the server refuses what it has seen before, and may have seen this value in an earlier run'
const driftReason = 'the server stopped accepting valid requests in the middle of the run'

/** Turns what was seen of one operation into findings: one for each cause. Nothing is sent any more. */
export const diagnose = (
  obligations: readonly Obligation[],
  seen: Seen,
  options: DiagnoseOptions,
): Diagnosis => {
  const { model, confirmations } = options
  const named = (path: string): Obligation | undefined =>
    obligations.find(({ id }) => id === `${model.operation.id}/${path}`)
  const excused = new Map<string, string>()
  const steady: Cluster[] = []
  const flaky: Cluster[] = []

  for (const group of groupIncidents(obligations, seen)) {
    const speaker = primaryOf(group.obligations)
    const own = group.incidents.filter(({ flaw }) => flaw.id === speaker.id)
    if (options.drifted !== null && isFromDrift(own)) {
      for (const { id } of group.obligations) excused.set(id, driftReason)
      continue
    }
    const confirmed = confirmedOf(confirmations, speaker.id, own)
    if (confirmed === null) continue
    if (options.refusesDuplicates && isSpent(confirmed))
      for (const { id } of group.obligations) excused.set(id, spentIdentity)
    else (confirmed.repeat === 'flaky' ? flaky : steady).push(clusterOf(group, confirmed, speaker))
  }

  const explained = new Set(
    [...steady, ...flaky].flatMap(({ incidents }) => incidents.map(({ asked }) => asked.number)),
  )
  for (const { key, obligation, isDeclared, incidents } of questionsOf(obligations, seen, explained)) {
    if (options.drifted !== null && isDeclared) continue
    const confirmed = confirmedOf(confirmations, key, incidents)
    if (confirmed === null) continue
    const cluster = clusterOf({ obligations: [obligation], incidents, signature: '' }, confirmed, obligation)
    ;(confirmed.repeat === 'flaky' ? flaky : steady).push(
      isDeclared ? withAsked(cluster) : { ...cluster, signature: 'answer' },
    )
  }

  const isKept = (id: string): boolean => wasKept(seen, id)
  const mixedUp = pairingCluster(named('load/pairing'), seen)
  const drift =
    options.drifted === null ? null : driftCluster(named('load/drift'), obligations, seen, options)
  const merged = foldRest(
    foldFew(
      foldChance(mergeCauses(steady, joinClusters), named('request/valid'), obligations, model, seen),
      obligations,
      model,
      isKept,
    ),
    named('response/declared'),
    named('request/valid'),
    model,
    isKept,
  )
  const findings = [
    ...(drift === null ? [] : [drift]),
    ...merged,
    ...(mixedUp === null ? [] : [mixedUp]),
    // Where answers are mixed up or the server gave out, what does not come again has that cause.
    ...(mixedUp === null && drift === null
      ? flakyClusters(
          flaky.filter(cluster => !isOfConnection(cluster, merged)),
          named('load/consistency'),
        )
      : []),
  ].map(cluster =>
    tell(promoted(cluster, named('response/declared'), model), seen, excused, { ...options, obligations }),
  )
  return { findings, excused }
}

/** Where an answer hangs on what came before on the connection, it hits now and then what shares one by chance. */
const isOfConnection = ({ incidents, signature: answered }: Cluster, steady: readonly Cluster[]): boolean =>
  steady.some(
    ({ confirmed: { incident }, signature: own }) =>
      own === answered &&
      incident.asked.lane !== 'any' &&
      incidents.every(({ asked }) => asked.expected === incident.asked.expected),
  )

const tell = (
  cluster: Cluster,
  seen: Seen,
  excused: Map<string, string>,
  { obligations, ...options }: DiagnoseOptions & { readonly obligations: readonly Obligation[] },
): Finding => {
  const { confirmed, incidents } = cluster
  const told = tellingOf(cluster, obligations, options.model, id => wasKept(seen, id))
  const primary = primaryOf(told)
  const also: string[] = []
  // Every request has one of the few sets of properties, or of the few values: what has it by chance says nothing.
  const leads =
    isOneOfFew(primary.subject) ||
    primary.subject.kind === 'valid' ||
    (primary.subject.kind === 'value' && isExplained(cluster, primary, options.model))
  for (const { id, subject, family } of told.filter(own => own !== primary)) {
    const kept = wasKept(seen, id)
    // Any kind of valid request is one of «any valid request», and what comes now and then may hit any of them.
    if (kept && (subject.kind === 'valid' || isOneOfFew(subject) || confirmed.repeat === 'flaky')) continue
    if (leads && (family === 'accept' || family === 'load' || family === 'bearer')) {
      if (!kept) excused.set(id, `what showed it shows ${primary.id} as well`)
    } else also.push(id)
  }
  return toFinding(primary, also, confirmed, incidents.length, options)
}
